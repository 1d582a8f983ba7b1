"""The error table of ingest (specification, "Errors"; contract 4): 400, 401, 402 and 415. Nothing refused is kept."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from harness.burst import burst, post_request
from harness.refusal import check_refusal, refused
from harness.server import Server
from harness.workspace import Workspace, fresh_ip, sign_up
from tallyroom.auth.secrets import mint_key, mint_session_token
from tallyroom.core.clock import SystemClock
from tallyroom.core.ids import Ids

IDS = Ids(SystemClock())

OK = {"name": "ok", "_actor": "a"}

# What is wrong with one event, and where `details` says so.
WRONG_EVENTS: list[tuple[Any, list[str]]] = [
    ({}, ["name"]),
    ({"properties": {}}, ["name"]),
    ({"_actor": "a"}, ["name"]),
    ({"Name": "x", "name": "x"}, ["Name"]),
    *[({"name": value}, ["name"]) for value in (None, "", 1, 1.5, True, [], ["x"], {})],
    *[(OK | {"properties": value}, ["properties"]) for value in (None, "x", 1, True, [], [{}])],
    *[
        (OK | {field: value}, [field])
        for field in ("_actor", "_actorLabel", "_source", "_timestamp")
        for value in (None, 1, True, [], {})
    ],
    *[
        (OK | {field: "x"}, [field])
        for field in ("id", "timestamp", "actor", "workspaceId", "environment", "_id", "_unknown", "__proto__", "", "é")
    ],
    *[(OK | {"_timestamp": value}, ["_timestamp"]) for value in ("", "yesterday", "2026-11-20", "1700000000")],
    *[(OK | {field: "a\0b"}, [field]) for field in ("name", "_actor", "_actorLabel", "_source")],
]

# Bodies that are no event and no batch, and where `details` says so.
WRONG_BODIES: list[tuple[Any, list[str]]] = [
    *[(body, []) for body in (None, True, 1, "x", [], [OK])],
    *[({"events": value}, ["events"]) for value in (None, {}, "x", 1, [], OK)],
    *[({"events": [value]}, ["events", 0]) for value in (None, [], "x", 1, True)],
    ({"events": [OK], "name": "x"}, ["name"]),
    ({"events": [OK], "extra": 1}, ["extra"]),
    ({"events": [OK], "properties": {}}, ["properties"]),
    ({"events": [{"events": [OK]}]}, ["events", 0, "name"]),
    ({"Events": [OK]}, ["name"]),
]

NOT_JSON = {
    "nothing": b"",
    "white space": b"  \n",
    "cut off": b'{"name":"x"',
    "two documents": b'{"name":"x"}{"name":"y"}',
    "text behind": b'{"name":"x"} x',
    "trailing comma": b'{"name":"x",}',
    "single quotes": b"{'name':'x'}",
    "comment": b'{"name":"x"/**/}',
    "bare key": b'{name:"x"}',
    "form": b"name=x",
    "not UTF-8": b'{"name":"\xff"}',
    "Latin-1": '{"name":"é"}'.encode("latin-1"),
    "UTF-16": '{"name":"x"}'.encode("utf-16"),
    "surrogate in UTF-8": b'{"name":"\xed\xa0\x80"}',
    "overlong NUL": b'{"name":"\xc0\x80"}',
    "line feed in a string": b'{"name":"a\nb"}',
    "NUL byte in a string": b'{"name":"a\x00b"}',
    "unknown escape": b'{"name":"\\x41"}',
    "name twice": b'{"name":"x","name":"x"}',
    "name twice, once escaped": b'{"name":"x","n\\u0061me":"x"}',
    "_actor twice": b'{"name":"x","_actor":"a","_actor":"b"}',
    "events twice": b'{"events":[{"name":"x"}],"events":[{"name":"x"}]}',
    "name twice in a batch": b'{"events":[{"name":"x"},{"name":"x","name":"y"}]}',
    "half a surrogate pair in a name": b'{"name":"\\ud800"}',
    "surrogates in the wrong order": b'{"name":"\\udc00\\ud800"}',
    "half a surrogate pair in an actor": b'{"name":"x","_actor":"a\\udfff"}',
    "half a surrogate pair in a field": b'{"name":"x","\\ud83d":1}',
}

# Values of a property that are no JSON, or that other programs would read differently.
NOT_JSON_VALUES = {
    **{text: text for text in ("NaN", "-NaN", "Infinity", "-Infinity", "nan", "None", "True", "undefined", "'x'")},
    **{
        text: text for text in ("1e999", "-1e999", "1.0e309", "01", "+1", ".5", "1.", "0x10", "1_000", "1e", "--1", "-")
    },
    "400 digits": "9" * 400,
    "key twice": '{"k":1,"k":1}',
    "key twice, once escaped": '{"k":1,"\\u006b":2}',
    "key twice in a list": '[{"a":1},{"k":1,"k":2}]',
    "half a surrogate pair": '"\\ud800"',
    "half a surrogate pair in a list": '["a",["\\udbff!"]]',
    "half a surrogate pair in a key": '{"\\ud800":1}',
}


def named(cases: list[tuple[Any, Any]]) -> list[Any]:
    return [pytest.param(*case, id=json.dumps(case[0])[:60]) for case in cases]


@pytest.mark.parametrize(("event", "path"), named(WRONG_EVENTS))
def test_400_wrong_event(shared: Workspace, event: Any, path: list[str]) -> None:
    body = refused(shared, event, 400)
    assert [detail["path"] for detail in body["details"]] == [path]


@pytest.mark.parametrize(("event", "path"), named(WRONG_EVENTS))
def test_400_wrong_event_in_a_batch(shared: Workspace, event: Any, path: list[str]) -> None:
    body = refused(shared, {"events": [OK, OK, event, OK]}, 400)
    assert [detail["path"] for detail in body["details"]] == [["events", 2, *path]]
    assert body["message"].startswith(f"events[2].{path[0]}")


@pytest.mark.parametrize(("sent", "path"), named(WRONG_BODIES))
def test_400_wrong_body(shared: Workspace, sent: Any, path: list[str]) -> None:
    body = refused(shared, json.dumps(sent).encode(), 400)
    assert path in [detail["path"] for detail in body["details"]]


@pytest.mark.parametrize("sent", NOT_JSON.values(), ids=NOT_JSON)
def test_400_not_json(shared: Workspace, sent: bytes) -> None:
    refused(shared, sent, 400)


@pytest.mark.parametrize("value", NOT_JSON_VALUES.values(), ids=NOT_JSON_VALUES)
def test_400_not_json_in_properties(shared: Workspace, value: str) -> None:
    refused(shared, b'{"name":"x","properties":{"p":%s}}' % value.encode(), 400)
    refused(shared, b'{"events":[{"name":"x"},{"name":"x","properties":{"p":[1,%s]}}]}' % value.encode(), 400)


def test_400_property_key_twice(shared: Workspace) -> None:
    refused(shared, b'{"name":"x","properties":{"k":1,"k":1}}', 400)
    refused(shared, b'{"name":"x","properties":{},"properties":{}}', 400)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"k":', "}"), ('[{"k":', "}]")])
def test_400_properties_nested_33_deep(shared: Workspace, opening: str, closing: str) -> None:
    """`properties` itself is the first level."""
    levels = 31 // (opening.count("[") + opening.count("{"))
    rest = "[" * (31 % (opening.count("[") + opening.count("{")))

    def event(more: str) -> bytes:
        start, end = opening * levels + rest + more, closing * levels
        return f'{{"name":"x","properties":{{"p":{start}1{"]" * len(rest + more)}{end}}}}}'.encode()

    assert shared.send(event("")).status_code == 202
    body = refused(shared, event("["), 400)
    assert body["details"][0]["path"] == ["properties"]


@pytest.mark.parametrize("opening", [b"[", b'{"k":'])
def test_400_a_hundred_thousand_levels(shared: Workspace, opening: bytes) -> None:
    refused(shared, b'{"name":"x","properties":{"p":%s' % (opening * 100_000), 400)
    refused(shared, opening * 100_000, 400)


def test_400_names_every_wrong_field_up_to_twenty(shared: Workspace) -> None:
    events = [{"name": ""} if index % 2 else OK for index in range(100)]
    body = refused(shared, {"events": events}, 400)
    assert [detail["path"] for detail in body["details"]] == [["events", index, "name"] for index in range(1, 41, 2)]


def unauthorized_headers(workspace: Workspace) -> dict[str, bytes | None]:
    key = workspace.key
    revoked, key_id = workspace.make_key()
    with workspace.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204
    return {
        "missing": None,
        "empty": b"",
        "scheme only": b"Bearer",
        "no scheme": key.encode(),
        "another scheme": f"Basic {key}".encode(),
        "token scheme": f"Token {key}".encode(),
        "two spaces": f"Bearer  {key}".encode(),
        "tab": f"Bearer\t{key}".encode(),
        "colon": f"Bearer: {key}".encode(),
        "quoted": f'Bearer "{key}"'.encode(),
        "text behind": f"Bearer {key} x".encode(),
        "two keys": f"Bearer {key},{key}".encode(),
        "cut off": f"Bearer {key[:-1]}".encode(),
        "too long": f"Bearer {key}0".encode(),
        "wrong checksum": f"Bearer {key[:-1]}{'a' if key[-1] != 'a' else 'b'}".encode(),
        "wrong environment": f"Bearer {key.replace('live', 'test')}".encode(),
        "lower case": f"Bearer {key.lower()}".encode(),
        "upper case": f"Bearer {key.upper()}".encode(),
        "not ASCII": b"Bearer \xff\xfe",
        "key id": f"Bearer {workspace.key_id}".encode(),
        "huge": b"Bearer " + b"a" * 5000,
        "unknown": f"Bearer {mint_key(IDS, 'production')}".encode(),
        "unknown, development": f"Bearer {mint_key(IDS, 'development')}".encode(),
        "revoked": f"Bearer {revoked}".encode(),
        "session": f"Bearer {workspace.session_token}".encode(),
        "unknown session": f"Bearer {mint_session_token(IDS)}".encode(),
    }


def test_401_one_answer_to_every_wrong_key(shared: Workspace) -> None:
    seen = set()
    for name, header in unauthorized_headers(shared).items():
        with shared.client() as client:
            del client.headers["authorization"]
            headers = {} if header is None else {"authorization": header}
            answer = client.post("/v1/events", json=OK, headers=headers)
        body = check_refusal(answer, 401)
        assert body.pop("requestId"), name
        seen.add(json.dumps(body))
    assert len(seen) == 1  # nobody learns which keys exist


def test_401_keeps_nothing_and_a_key_elsewhere_is_none(shared: Workspace) -> None:
    refused(shared, OK, 401, key="tr_live_nonsense")
    elsewhere = {"cookie": f"tallyroom_session={shared.session_token}", "x-api-key": shared.key}
    refused(shared, OK, 401, key="x", headers=elsewhere)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_taken_in_any_case(shared: Workspace, scheme: str) -> None:
    assert shared.send(OK, headers={"authorization": f"{scheme} {shared.key}"}).status_code == 202


TYPES: list[tuple[str | None, int]] = [
    ("application/json", 202),
    ("application/json; charset=utf-8", 202),
    ("application/json;charset=UTF-8", 202),
    ('Application/JSON ; charset="utf-8"', 202),
    (None, 415),
    ("", 415),
    ("text/plain", 415),
    ("text/json", 415),
    ("application/x-www-form-urlencoded", 415),
    ("multipart/form-data; boundary=x", 415),
    ("application/jsonp", 415),
    ("application/json, text/plain", 415),
    ("application/x-ndjson", 415),
    ("application/x-protobuf", 415),
    ("application", 415),
    ("json", 415),
    ("*/*", 415),
    ("application/json; charset=latin-1", 415),
    ("application/json; charset=iso-8859-1", 415),
    ("application/json; charset=utf-16", 415),
    ("application/json; charset=", 415),
]


@pytest.mark.parametrize(("content_type", "status"), TYPES)
def test_415_content_type(shared: Workspace, content_type: str | None, status: int) -> None:
    with shared.client(shared.key) as client:
        headers = {} if content_type is None else {"content-type": content_type}
        answer = client.post("/v1/events", content=json.dumps(OK), headers=headers)
    assert answer.status_code == 202 if status == 202 else check_refusal(answer, status)


@pytest.mark.parametrize(
    "encoding", ["br", "compress", "gzip, gzip", "gzip,deflate", "deflate, zstd", "x", "*", "utf-8"]
)
def test_415_content_encoding(shared: Workspace, encoding: str) -> None:
    refused(shared, OK, 415, headers={"content-encoding": encoding})


def test_402_at_the_cap(free: Workspace) -> None:
    assert free.send({"events": [OK] * 99}).json() == {"accepted": 99}
    refused(free, {"events": [OK] * 2}, 402)  # would pass the cap: refused whole
    assert free.send(OK).json() == {"accepted": 1}
    refused(free, OK, 402)
    refused(free, {"events": [OK]}, 402)
    refused(free, OK, 402, key=free.make_key("development")[0])  # the cap is the workspace's
    assert sign_up(free.url).send(OK).status_code == 202  # and nobody else's


def test_402_a_batch_over_the_whole_cap(free: Workspace) -> None:
    refused(free, {"events": [OK] * 101}, 402)
    assert free.send({"events": [OK] * 100}).json() == {"accepted": 100}


def test_402_refused_requests_do_not_count(free: Workspace) -> None:
    for _ in range(20):
        refused(free, {"events": [OK] * 99 + [{"name": ""}]}, 400)
    assert free.send({"events": [OK] * 100}).json() == {"accepted": 100}


def test_402_forty_clients_race_for_a_hundred_events(tight_server: Server, free: Workspace) -> None:
    ips = [fresh_ip() for _ in range(40)]
    answers = burst(tight_server.port, [post_request(free, OK, ip=ips[turn % 40]) for turn in range(200)], 40)
    assert sorted(answer.status for answer in answers) == [202] * 100 + [402] * 100
    assert free.get("/v1/actors").json()["actors"][0]["eventCount"] == 100


def test_402_racing_batches_are_taken_whole_or_not_at_all(free: Workspace) -> None:
    with ThreadPoolExecutor(40) as threads:
        answers = list(threads.map(lambda _: free.send({"events": [OK] * 7}), range(40)))
    assert sorted(answer.status_code for answer in answers) == [202] * 14 + [402] * 26
    assert free.get("/v1/actors").json()["actors"][0]["eventCount"] == 98
