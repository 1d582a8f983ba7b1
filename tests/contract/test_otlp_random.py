"""Whatever is sent as OpenTelemetry: never a fault of the server, and never a part of what is refused."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.clients.server_counts import measured
from harness.clients.telemetry import (
    JSON,
    PROTOBUF,
    as_json,
    attributes,
    events,
    logs,
    metrics,
    post,
    status_of,
    traces,
)
from harness.clients.workspace import Workspace
from harness.suite.examples import tries
from tallyroom.ingest.otlp.signals import SIGNALS

EXAMPLES = {
    "traces": traces(
        {"name": "s", "attributes": {"a": [1, {"b": b"c"}], "user.id": "ann"}, "events": [{"name": "e"}]},
        resource={"service.name": "shop"},
    ),
    "logs": logs({"body": {"k": ["v", 1.5]}, "severity_number": 9}, scope={"x": True}),
    "metrics": metrics(
        {"name": "m", "sum": {"data_points": [{"as_int": 5, "attributes": attributes({"k": "v"})}]}},
        {"name": "h", "histogram": {"data_points": [{"count": 3, "bucket_counts": [1, 2], "explicit_bounds": [1.0]}]}},
    ),
}
FORMS = {PROTOBUF: lambda message: message.SerializeToString(), JSON: as_json}

changes = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 2), st.binary(min_size=1, max_size=4)), max_size=4
)
quietly = tries(60, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def changed(body: bytes, place: float, kind: int, data: bytes) -> bytes:
    """The body with bytes put in, put over others, or left out."""
    at = int(place * len(body))
    return body[:at] + (b"" if kind == 2 else data) + body[at + (0 if kind == 0 else len(data)) :]


def check(workspace: Workspace, signal: str, content_type: str, body: bytes) -> None:
    answer = post(workspace, signal, body, headers={"content-type": content_type})
    assert answer.status_code in {200, 400}, answer.content
    assert answer.headers["content-type"] == content_type
    if answer.status_code == 400:
        code, message = status_of(answer)
        assert (code, bool(message)) == (3, True)
    elif content_type == PROTOBUF:
        SIGNALS[signal].response_class.FromString(answer.content)
    else:
        answer.json()


def check_changed(workspace: Workspace, signal: str, content_type: str, made: list[tuple[float, int, bytes]]) -> None:
    body = FORMS[content_type](EXAMPLES[signal])
    for change in made:
        body = changed(body, *change)
    check(workspace, signal, content_type, body)


@quietly
@given(st.sampled_from(list(SIGNALS)), st.sampled_from([PROTOBUF, JSON]), changes)
def test_a_changed_request(
    shared: Workspace, signal: str, content_type: str, made: list[tuple[float, int, bytes]]
) -> None:
    check_changed(shared, signal, content_type, made)


@pytest.mark.long
@settings(quietly, max_examples=5000)
@given(st.sampled_from(list(SIGNALS)), st.sampled_from([PROTOBUF, JSON]), changes)
def test_many_changed_requests(
    shared: Workspace, signal: str, content_type: str, made: list[tuple[float, int, bytes]]
) -> None:
    check_changed(shared, signal, content_type, made)


@quietly
@given(st.sampled_from(list(SIGNALS)), st.sampled_from([PROTOBUF, JSON]), st.binary(max_size=60))
def test_any_bytes(shared: Workspace, signal: str, content_type: str, body: bytes) -> None:
    check(shared, signal, content_type, body)


def test_afterwards_everything_can_be_read(shared: Workspace) -> None:
    """Nothing of what was taken harmed the store or the list; and nothing was put aside."""
    assert events(shared, limit=200)
    assert measured(shared.url, "events_dead_lettered_total") == 0
