"""The raw event export."""

from pathlib import Path

from harness.oracles.import_outcome import imported

LINES = """\
{"event":"Signed up","properties":{"time":1602611311,"$insert_id":"hpuD","mp_processing_time_ms":1602625711874,"distinct_id":"ann"}}
{"event":"Bought","properties":{"time":1602611311123,"distinct_id":"","total":12.50,"items":["tea"]}}
"""


def test_events(tmp_path: Path) -> None:
    assert imported(tmp_path / "export.jsonl", LINES, "mixpanel") == [
        {
            "name": "Signed up",
            "_actor": "ann",
            "_timestamp": "2020-10-13T17:48:31.000Z",
            "properties": {"$insert_id": "hpuD", "mp_processing_time_ms": 1602625711874},
        },
        {
            "name": "Bought",
            "_timestamp": "2020-10-13T17:48:31.123Z",
            "properties": {"total": 12.5, "items": ["tea"]},
        },
    ]


def test_a_project_whose_times_count_in_its_own_zone(tmp_path: Path) -> None:
    events = imported(tmp_path / "export.jsonl", LINES, "mixpanel", zone="America/Los_Angeles")
    assert [event["_timestamp"] for event in events] == ["2020-10-14T00:48:31.000Z", "2020-10-14T00:48:31.123Z"]
