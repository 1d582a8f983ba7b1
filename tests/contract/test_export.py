"""GET /v1/export: parameters, refusals, headers, and whose events are in the file (rules/events#export)."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.export_files import COLUMNS, read_csv, read_parquet
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

MEDIA_TYPES = {
    "ndjson": "application/x-ndjson",
    "csv": "text/csv; header=present; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
NOON = "2024-02-29T12:00:00.000Z"


@pytest.fixture(scope="module")
def days(server: Server) -> Workspace:
    """An event at noon of each of five days, another in the last millisecond of the third."""
    workspace = sign_up(server.url)
    moments = [f"2024-02-{day}T12:00:00.000Z" for day in (26, 27, 28, 29)] + ["2024-03-01T12:00:00.000Z"]
    events = [{"name": moment, "_timestamp": moment} for moment in [*moments, "2024-02-28T23:59:59.999Z"]]
    assert workspace.send({"events": events}).status_code == 202
    return workspace


def lines(workspace: Workspace, **params: str) -> list[Any]:
    answer = workspace.get("/v1/export", **params)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.split(b"\n")[:-1]]


def names(workspace: Workspace, **params: str) -> list[str]:
    return [event["name"] for event in lines(workspace, **params)]


def test_a_line_has_what_ingest_takes_and_nothing_else(workspace: Workspace) -> None:
    full = {
        "name": "order/placed",
        "_timestamp": NOON,
        "_actor": "customer 17",
        "_actorLabel": "Customer “17”",
        "_source": "shop",
        "properties": {"total": 42.5, "items": ["tea", "cup"]},
    }
    events = [
        full,
        {"name": "bare", "_timestamp": "2024-03-01T00:00:00+01:00"},
        {"name": "x", "_actor": "", "properties": {}},
    ]
    assert workspace.send({"events": events}).status_code == 202
    first, second, third = lines(workspace)
    assert list(first.items()) == list(full.items())
    assert second == {"name": "bare", "_timestamp": "2024-02-29T23:00:00.000Z"}
    assert list(third) == ["name", "_timestamp"]


def test_properties_are_the_bytes_that_were_sent(workspace: Workspace) -> None:
    sent = (
        r'{"n":1.50,"e":1E+2,"big":123456789012345678901234567890,"s":"\u0041\/\ud83d\ude00 😀","x":[ 1,  {"y":null} ]}'
    )
    body = f'{{"name":"x","_timestamp":"{NOON}","properties":{sent}}}'
    assert workspace.send(body.encode()).status_code == 202
    expected = f'{{"name":"x","_timestamp":"{NOON}","properties":{sent}}}\n'
    assert workspace.get("/v1/export").text == expected
    assert read_csv(workspace.get("/v1/export", format="csv").content)[1][5] == sent


@few(
    3,
    ("time_range", "expected"),
    [
        ({}, ["26", "27", "28", "28", "29", "01"]),
        ({"from": "2024-02-28"}, ["28", "28", "29", "01"]),
        ({"to": "2024-02-28"}, ["26", "27"]),
        ({"from": "2024-02-28", "to": "2024-02-29"}, ["28", "28"]),
        ({"from": "2024-02-28T12:00:00Z", "to": "2024-02-29T12:00:00Z"}, ["28", "28"]),
        ({"from": "2024-02-28T12:00:00.001Z", "to": "2024-02-29T12:00:00.001Z"}, ["28", "29"]),
        ({"from": "2024-02-28T23:59:59.999Z", "to": "2024-02-29"}, ["28"]),
        ({"from": "2024-02-28", "to": "2024-02-28T23:59:59.999Z"}, ["28"]),
        ({"from": "2024-02-28T13:00:00+01:00", "to": "2024-02-28T13:00:00.001+01:00"}, ["28"]),
        ({"from": "1970-01-01", "to": "9999-12-31"}, ["26", "27", "28", "28", "29", "01"]),
        ({"from": "2025-01-01"}, []),
    ],
)
def test_from_is_inside_and_to_is_not(days: Workspace, time_range: dict[str, str], expected: list[str]) -> None:
    assert [name[8:10] for name in names(days, **time_range)] == expected


@few(
    4,
    ("params", "parameter"),
    [
        ({"format": "xml"}, "format"),
        ({"format": ""}, "format"),
        ({"format": "CSV"}, "format"),
        ({"format": "json"}, "format"),
        ({"from": "x"}, "from"),
        ({"from": ""}, "from"),
        ({"to": "yesterday"}, "to"),
        ({"to": "2024-02-30"}, "to"),
        ({"to": "1709164800"}, "to"),
        ({"from": "2024-02-29", "to": "2024-02-29"}, "to"),
        ({"from": "2024-02-29", "to": "2024-02-28"}, "to"),
        ({"from": "2024-02-29T12:00:00 01:00"}, "from"),
        ({"environment": "nowhere"}, "environment"),
        ({"environment": ""}, "environment"),
        ({"timeRange": "2d"}, "timeRange"),
        ({"timeRange": "7d", "from": "2026-11-01"}, "timeRange"),
        ({"limit": "5"}, "limit"),
        ({"format": ["csv", "csv"]}, "format"),
        ({"from": ["2024-02-28", "2024-02-29"]}, "from"),
    ],
)
def test_a_wrong_parameter_is_named(days: Workspace, params: dict[str, Any], parameter: str) -> None:
    body = check_refusal(days.get("/v1/export", **params), 400)
    assert [detail["path"] for detail in body["details"]] == [[parameter]]
    assert body["message"].startswith(parameter)


@few(1, "format_", MEDIA_TYPES)
def test_the_headers(days: Workspace, format_: str) -> None:
    answer = days.get("/v1/export", format=format_, **{"from": "2024-02-28", "to": "2024-03-01"})
    assert answer.headers["content-type"] == MEDIA_TYPES[format_]
    name = f"tallyroom-production-20240228T000000Z-20240301T000000Z.{format_}"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["transfer-encoding"] == "chunked"
    assert "content-length" not in answer.headers


def test_the_name_of_a_whole_history(days: Workspace) -> None:
    with days.client() as client:
        answer = client.get("/v1/export", params={"environment": "development"})
    assert re.search(r'"tallyroom-development-start-\d{8}T\d{6}Z\.ndjson"', answer.headers["content-disposition"])


@pytest.mark.long
@pytest.mark.parametrize(("format_", "zips"), [("ndjson", True), ("csv", True), ("parquet", False)])
def test_compressed_for_a_client_that_takes_it(days: Workspace, format_: str, zips: bool) -> None:
    plain_headers, plain = raw(days, format_, "identity")
    packed_headers, packed = raw(days, format_, "br, gzip")
    assert "content-encoding" not in plain_headers
    assert packed_headers.get("content-encoding") == ("gzip" if zips else None)
    assert (gzip.decompress(packed) if zips else packed) == plain
    assert plain_headers["vary"] == packed_headers["vary"] == "accept-encoding"


def raw(workspace: Workspace, format_: str, accept: str) -> tuple[httpx.Headers, bytes]:
    """The answer as it goes over the wire."""
    headers = {"accept-encoding": accept}
    with (
        workspace.client() as client,
        client.stream("GET", "/v1/export", params={"format": format_}, headers=headers) as answer,
    ):
        return answer.headers, b"".join(answer.iter_raw())


def test_nothing_is_a_file_as_well(workspace: Workspace, tmp_path: Path) -> None:
    assert workspace.get("/v1/export").content == b""
    assert workspace.get("/v1/export", format="csv").content == f"{','.join(COLUMNS)}\n".encode()
    (tmp_path / "empty.parquet").write_bytes(workspace.get("/v1/export", format="parquet").content)
    types, rows = read_parquet(tmp_path / "empty.parquet")
    assert (list(types), rows) == (COLUMNS, [])


@pytest.mark.long
def test_other_workspaces_and_environments_never_appear(workspace: Workspace) -> None:
    stranger, development = sign_up(workspace.url), workspace.make_key("development")[0]
    for name, sender, key in (("mine", workspace, None), ("dev", workspace, development), ("theirs", stranger, None)):
        assert sender.send({"name": name, "_actor": "a", "_timestamp": NOON}, key=key).status_code == 202
    for format_ in ("ndjson", "csv"):
        for params, found in (
            ({}, b"mine"),
            ({"environment": "production"}, b"mine"),
            ({"environment": "development"}, b"dev"),
        ):
            content = workspace.get("/v1/export", format=format_, **params).content
            assert [word for word in (b"mine", b"dev", b"theirs") if word in content] == [found]
    assert names(stranger) == ["theirs"]


def test_an_api_key_has_no_export(workspace: Workspace) -> None:
    check_refusal(workspace.get("/v1/export", token=workspace.key), 401)


@pytest.mark.long
def test_what_was_acknowledged_before_is_in_it(workspace: Workspace) -> None:
    for number in range(1, 6):
        assert workspace.send({"name": f"e{number}", "_timestamp": NOON}).status_code == 202
        assert names(workspace) == [f"e{n}" for n in range(1, number + 1)]


@pytest.mark.long
def test_an_erased_actor_is_gone(workspace: Workspace) -> None:
    events = [{"name": f"{actor} {n}", "_actor": actor, "_timestamp": ago(days=n)} for actor in "ab" for n in range(50)]
    assert workspace.send({"events": events}).status_code == 202
    with workspace.client() as client:
        assert client.delete("/v1/actors/a").json() == {"erased": 50}
    assert {event["_actor"] for event in lines(workspace)} == {"b"}
    assert len(names(workspace)) == 50


def test_each_export_stands_in_the_audit_log(workspace: Workspace) -> None:
    params = {"environment": "development", "format": "csv", "from": "2024-02-28"}
    assert workspace.get("/v1/export", **params).status_code == 200
    check_refusal(workspace.get("/v1/export", environment="nowhere"), 400)
    [entry] = [e for e in workspace.get("/v1/audit").json()["entries"] if e["action"] == "events.export"]
    assert entry["by"]["email"] == workspace.email
    assert (entry["subject"], entry["details"]) == ("development", {"format": "csv", "from": "2024-02-28", "to": None})


def test_events_of_one_moment_come_in_the_order_of_their_arrival(workspace: Workspace) -> None:
    sent = [f"e{number:04}" for number in range(1200)]
    for start in range(0, len(sent), 300):
        events = [{"name": name[:2], "_actor": name, "_timestamp": NOON} for name in sent[start : start + 300]]
        assert workspace.send({"events": events}).status_code == 202
    assert [event["_actor"] for event in lines(workspace)] == sent


def test_a_head_request_has_the_headers_and_no_body(days: Workspace) -> None:
    with days.client() as client:
        answer = client.head("/v1/export", params={"format": "csv"})
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-type"] == MEDIA_TYPES["csv"]
        assert client.get("/v1/auth/me").status_code == 200


def test_the_reference_names_the_parameters_and_the_forms(days: Workspace) -> None:
    operation = days.get("/openapi.json").json()["paths"]["/v1/export"]["get"]
    assert [parameter["name"] for parameter in operation["parameters"]] == [
        "environment",
        "timeRange",
        "from",
        "to",
        "format",
    ]
    assert set(operation["responses"]["200"]["content"]) == {kind.partition(";")[0] for kind in MEDIA_TYPES.values()}


@pytest.mark.long
def test_a_named_span_is_exported(workspace: Workspace) -> None:
    events = [{"name": name, "_timestamp": at} for name, at in (("new", ago(minutes=5)), ("old", ago(days=500)))]
    assert workspace.send({"events": events}).status_code == 202
    assert names(workspace, timeRange="24h") == ["new"]
    assert names(workspace, timeRange="all") == ["old", "new"]
    assert names(workspace, timeRange="12mo") == ["new"]


def test_an_export_says_that_everything_is_older(workspace: Workspace) -> None:
    assert workspace.send({"name": "old", "_timestamp": ago(days=500)}).status_code == 202
    for params, told in [
        ({"timeRange": "24h"}, "older_only"),
        ({"from": ago(days=1)}, "older_only"),
        ({"from": ago(days=501)}, None),
        ({"to": ago(days=600)}, None),
        ({}, None),
    ]:
        answer = workspace.get("/v1/export", **params)
        assert (answer.status_code, answer.headers.get("tallyroom-notice")) == (200, told), params
