"""Whatever is sent to ingest: never a fault of the server, and what is accepted comes back as it was."""

import json
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.clients.actor import actor
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal

FIELDS = ["name", "properties", "_actor", "_actorLabel", "_source", "_timestamp", "events"]

texts = st.text(st.characters(codec="utf-8"), max_size=20)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(2**53, 2**70)
scalars = st.none() | st.booleans() | numbers | texts | st.sampled_from(["2026-11-20T12:00:00Z", "1.10", ""])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts | st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=25,
)
objects = st.dictionaries(texts, values, max_size=5)
events = st.fixed_dictionaries(
    {"name": st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)},
    optional={
        "properties": objects,
        "_actor": texts,
        "_actorLabel": texts,
        "_source": texts,
        "_timestamp": st.datetimes().map(lambda moment: moment.isoformat()),
    },
)
bodies = st.one_of(
    values,
    st.dictionaries(st.sampled_from(FIELDS) | texts, values, max_size=6),
    events,
    st.fixed_dictionaries({"events": st.lists(events | values, max_size=4)}),
)

quietly = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def check_answer(workspace: Workspace, body: bytes) -> None:
    answer = workspace.send(body)
    if answer.status_code == 202:
        assert answer.json()["accepted"] >= 1
    else:
        assert answer.status_code in {400, 413}
        check_refusal(answer, answer.status_code)


@pytest.mark.long
@quietly
@given(bodies, st.booleans())
def test_random_json_never_fails_the_server(shared: Workspace, body: Any, escaped: bool) -> None:
    check_answer(shared, json.dumps(body, ensure_ascii=escaped).encode())


@quietly
@given(st.binary(max_size=200))
def test_random_bytes_never_fail_the_server(shared: Workspace, body: bytes) -> None:
    check_answer(shared, body)


@pytest.mark.long
@quietly
@given(events | st.fixed_dictionaries({"events": st.lists(events, min_size=1, max_size=3)}), st.data())
def test_mutated_events_never_fail_the_server(shared: Workspace, body: Any, data: st.DataObject) -> None:
    """A valid body in which some bytes are replaced, doubled or lost."""
    sent = bytearray(json.dumps(body).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(sent) - 1)) if sent else 0
        piece = data.draw(
            st.sampled_from([b"", b'"', b"\\", b"{", b"]", b",", b":", b"0", b"\x00", b"\xff", b"\\ud800"])
        )
        sent[place : place + data.draw(st.integers(0, 3))] = piece * data.draw(st.integers(1, 3))
    check_answer(shared, bytes(sent))


@settings(quietly, max_examples=4)  # each is a batch: some dozens of events in all
@given(st.lists(objects, min_size=5, max_size=20), st.booleans(), st.sampled_from([None, 1]))
def test_accepted_properties_come_back(
    shared: Workspace,
    sent: list[Any],
    escaped: bool,
    indent: int | None,
) -> None:
    key = uuid.uuid4().hex
    body = {"events": [{"name": "x", "_actor": key, "properties": properties} for properties in sent]}
    answer = shared.send(json.dumps(body, ensure_ascii=escaped, indent=indent).encode())
    assert answer.status_code == 202, answer.text
    found = [moment["properties"] for moment in actor(shared, key)["timeline"]]
    assert json.dumps(found[::-1]) == json.dumps(sent)  # as text, in which 1 and 1.0 and true differ
