"""415: JSON in UTF-8, plain or in one of three encodings, and nothing else (rules/events#media-types)."""

import json

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal, refused
from harness.suite.few import few

OK = {"name": "ok", "_actor": "a"}

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


@few(5, ("content_type", "status"), TYPES)
def test_415_content_type(shared: Workspace, content_type: str | None, status: int) -> None:
    with shared.client(shared.key) as client:
        headers = {} if content_type is None else {"content-type": content_type}
        answer = client.post("/v1/events", content=json.dumps(OK), headers=headers)
    assert answer.status_code == 202 if status == 202 else check_refusal(answer, status)


@few(4, "encoding", ["br", "compress", "gzip, gzip", "gzip,deflate", "deflate, zstd", "x", "*", "utf-8"])
def test_415_content_encoding(shared: Workspace, encoding: str) -> None:
    refused(shared, OK, 415, headers={"content-encoding": encoding})
