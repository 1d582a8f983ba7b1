"""A batch export as NDJSON, the same as Parquet gives it, and the CSV of the activity page."""

from pathlib import Path
from typing import Any

from harness.oracles.import_outcome import imported

PERSON = '{"email":"ann@example.com","name":"Ann"}'
LINE = (
    '{"uuid":"0193","event":"$pageview","distinct_id":"d-1","person_id":"p-1",'
    '"properties":{"$lib":"web","$current_url":"https://e.example/","n":1.50},"person_properties":'
    + PERSON
    + ',"elements_chain":"","timestamp":"2026-11-20T12:00:00.123456+00:00","created_at":"2026-11-20T12:00:01+00:00",'
    '"_inserted_at":"2026-11-20T12:00:02+00:00"}'
)
# What Parquet holds: properties and person properties as JSON text.
PARQUET_LINE = LINE.replace(
    '{"$lib":"web","$current_url":"https://e.example/","n":1.50}',
    '"{\\"$lib\\":\\"web\\",\\"$current_url\\":\\"https://e.example/\\",\\"n\\":1.50}"',
).replace(PERSON, '"{\\"email\\":\\"ann@example.com\\",\\"name\\":\\"Ann\\"}"')
CSV = """\
id,distinct_id,properties.$browser,properties.$lib,event,timestamp,person,elements_chain
e9ca,2,Safari,web,signed up,2022-07-06T19:37:43.095295+00:00,,
1624,,,,signed up,2022-07-06T19:37:43.095279+00:00,,
"""

PAGE_VIEW: dict[str, Any] = {
    "name": "$pageview",
    "_actor": "d-1",
    "_actorLabel": "ann@example.com",
    "_source": "web",
    "_timestamp": "2026-11-20T12:00:00.123456+00:00",
    "properties": {
        "uuid": "0193",
        "person_id": "p-1",
        "elements_chain": "",
        "$current_url": "https://e.example/",
        "n": 1.5,
    },
}


def test_ndjson(tmp_path: Path) -> None:
    assert imported(tmp_path / "events.jsonl", LINE, "posthog") == [PAGE_VIEW]


def test_properties_as_text(tmp_path: Path) -> None:
    assert imported(tmp_path / "events.jsonl", PARQUET_LINE, "posthog") == [PAGE_VIEW]


def test_csv(tmp_path: Path) -> None:
    assert imported(tmp_path / "events.csv", CSV, "posthog") == [
        {
            "name": "signed up",
            "_actor": "2",
            "_source": "web",
            "_timestamp": "2022-07-06T19:37:43.095295+00:00",
            "properties": {"id": "e9ca", "$browser": "Safari"},
        },
        {"name": "signed up", "_timestamp": "2022-07-06T19:37:43.095279+00:00", "properties": {"id": 1624}},
    ]
