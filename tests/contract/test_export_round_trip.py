"""What goes in comes out, and the same answers after an import elsewhere (rules/events#export)."""

import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.builders.moments import ago
from harness.clients.actor import actor, actors
from harness.clients.workspace import Workspace, sign_up
from harness.servers.command import call, tallyroom
from harness.servers.server import Server
from tallyroom.core.times import iso_ms

_LAST_MS = 1_790_000_000_000

_characters = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
_numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
_values = st.recursive(
    st.one_of(st.none(), st.booleans(), _numbers, st.text(_characters, max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(_characters, max_size=9), inner, max_size=4)
    ),
    max_leaves=8,
)
_events = st.fixed_dictionaries(
    {"name": st.text(_characters, min_size=1, max_size=128), "_timestamp": st.integers(0, _LAST_MS).map(iso_ms)},
    optional={
        "_actor": st.text(_characters, max_size=256),
        "_actorLabel": st.text(_characters, max_size=256),
        "_source": st.text(_characters, max_size=128),
        "properties": st.dictionaries(st.text(_characters, max_size=20), _values, max_size=5),
    },
)


def text_of(event: dict[str, Any]) -> str:
    """An event with nothing empty in it, the properties as the text that was sent."""
    kept = {name: value for name, value in event.items() if value not in ("", {})}
    if "properties" in kept:
        kept["properties"] = json.dumps(kept["properties"], ensure_ascii=False)
    return json.dumps(kept, sort_keys=True)


def exported_text_of(line: bytes) -> str:
    event = json.loads(line)
    if "properties" in event:
        event["properties"] = line.decode().partition('"properties":')[2][:-1]
    return json.dumps(event, sort_keys=True)


@pytest.mark.long
@given(st.lists(_events, min_size=1, max_size=60))
@settings(max_examples=4, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_events_come_out_as_they_went_in(server: Server, events: list[dict[str, Any]]) -> None:
    check_that_they_come_out(server, events)


@pytest.mark.long
@given(st.lists(_events, min_size=1, max_size=60))
@settings(max_examples=100, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
def test_more_random_events_come_out_as_they_went_in(server: Server, events: list[dict[str, Any]]) -> None:
    check_that_they_come_out(server, events)


def check_that_they_come_out(server: Server, events: list[dict[str, Any]]) -> None:
    workspace = sign_up(server.url)
    body = json.dumps({"events": events}, ensure_ascii=False).encode()
    assert workspace.send(body).status_code == 202
    lines = workspace.get("/v1/export").content.split(b"\n")[:-1]
    assert Counter(map(exported_text_of, lines)) == Counter(map(text_of, events))
    assert [json.loads(line)["_timestamp"] for line in lines] == sorted(event["_timestamp"] for event in events)
    elsewhere, _ = workspace.make_key("development")
    assert workspace.send(b'{"events":[' + b",".join(lines) + b"]}", key=elsewhere).status_code == 202
    assert workspace.get("/v1/export", environment="development").content.split(b"\n")[:-1] == lines


@dataclass(frozen=True)
class Answers:
    """What a workspace says of its events; their ids are left out, the one thing that differs elsewhere."""

    actors: list[Any]
    details: list[Any]
    exported: list[bytes]


def answers(workspace: Workspace) -> Answers:
    exported = workspace.get("/v1/export").content.split(b"\n")[:-1]  # first, for it waits until all is stored
    listed = actors(workspace)
    details = [actor(workspace, row["actorKey"]) for row in listed]
    for moment in (moment for detail in details for moment in detail["timeline"]):
        del moment["id"]
    return Answers(listed, details, sorted(json.dumps(json.loads(line), sort_keys=True).encode() for line in exported))


@dataclass(frozen=True)
class Busy:
    """A workspace and its answers."""

    workspace: Workspace
    answers: Answers


@pytest.fixture(scope="module")
def busy(server: Server) -> Busy:
    """A thousand events of some dozen actors, with odd keys and labels that change."""
    workspace, chance = sign_up(server.url), random.Random(7)
    keys = [
        "",
        *(f"actor {n}" for n in range(10)),
        "a/b",
        "é😀",
        "0017",
        "-1",
        "1e5",
        'q"',
        "line\nbreak",
        ",",
        " lead",
    ]
    events = [
        {
            "name": chance.choice(["order.placed", "12", "é 😀", "a,b", '"', "x\ny"]),
            "_timestamp": ago(days=chance.uniform(0, 120)),
            "_actor": chance.choice(keys),
            "_actorLabel": chance.choice(["", "", "Ann", "Bea, of Cologne", "007"]),
            "_source": chance.choice(["", "web", "1"]),
            "properties": {
                "n": chance.choice([0, 1.5, -(10**20), 1e300, "0017"]),
                "list": ["a", 1, None, {"deep": [True]}],
                "text": chance.choice(["", "é😀", 'a "b"\n,', "null"]),
                "null": None,
            }
            if chance.random() < 0.8
            else {},
        }
        for _ in range(1000)
    ]
    for start in range(0, len(events), 500):
        assert workspace.send({"events": events[start : start + 500]}).status_code == 202
    return Busy(workspace, answers(workspace))


@pytest.mark.parametrize(
    "suffix",
    ["csv", *(pytest.param(suffix, marks=pytest.mark.long) for suffix in ("ndjson", "parquet", "csv.gz"))],
)
def test_after_an_import_elsewhere_the_answers_are_the_same(busy: Busy, tmp_path: Path, suffix: str) -> None:
    there = busy.workspace
    file, fresh = tmp_path / f"events.{suffix}", sign_up(there.url)
    done = call("export", "-o", file, url=there.url, token=there.session_token)
    assert done.returncode == 0, done.stderr
    run = tallyroom if suffix == "parquet" else call  # the engine reads Parquet
    done = run("import", "events", file, url=fresh.url, key=fresh.key)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1,000 rows: 1,000 accepted, 0 already counted, 0 refused.\nOlder than 90 days: ")
    assert answers(fresh) == busy.answers
