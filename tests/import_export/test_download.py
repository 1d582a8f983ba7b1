"""What comes of an export is counted right however it is cut, and what is no export is a sentence."""

import csv
import io
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.servers.scripted_server import ReceivedRequest as Request
from harness.servers.scripted_server import ScriptedAnswer, ScriptedServer, refusal
from tallyroom.import_export.connection import AddressUnusable
from tallyroom.import_export.download import (
    DownloadCounter,
    ExportRequest,
    ExportStopped,
    download,
    open_server_client,
    open_session,
)

ALL = ExportRequest("ndjson")
TOKEN = "trs_abc"

cells = st.text(st.sampled_from('a"\n\r,é'), max_size=6)


def csv_of(rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([["name", "_timestamp"], *rows])
    return text.getvalue().encode()


def count(counter: DownloadCounter, content: bytes, cuts: list[int]) -> DownloadCounter:
    edges = [0, *sorted(cut % (len(content) + 1) for cut in cuts), len(content)]
    for start, stop in pairwise(edges):
        counter.add_chunk(content[start:stop])
    assert counter.byte_count == len(content)
    return counter


@given(st.lists(st.tuples(cells, cells).map(list), max_size=8), st.lists(st.integers(0, 1000), max_size=6))
def test_events_of_csv(rows: list[list[str]], cuts: list[int]) -> None:
    assert count(DownloadCounter("csv"), csv_of(rows), cuts).event_count == len(rows)


@given(st.lists(st.text(max_size=5), max_size=8), st.lists(st.integers(0, 1000), max_size=6))
def test_events_of_lines(names: list[str], cuts: list[int]) -> None:
    content = b"".join(json.dumps({"name": name}).encode() + b"\n" for name in names)
    assert count(DownloadCounter("ndjson"), content, cuts).event_count == len(names)


def test_parquet_does_not_tell() -> None:
    told: list[int] = []
    assert (
        count(DownloadCounter("parquet", lambda counter: told.append(counter.byte_count)), b"PAR1\n\n", [4]).event_count
        is None
    )
    assert told == [4, 6]


def test_what_is_asked() -> None:
    with (
        ScriptedServer(lambda _: ScriptedAnswer(200, b"{}\n", {"content-type": "application/x-ndjson"})) as server,
        open_server_client(server.url) as client,
    ):
        asked = ExportRequest("csv", "dev", "2026-11-01T00:00:00+01:00", "2026-12-01")
        assert b"".join(download(client, TOKEN, asked)) == b"{}\n"
        assert b"".join(download(client, TOKEN, ALL)) == b"{}\n"
    first, second = server.asked
    query = "format=csv&environment=dev&from=2026-11-01T00%3A00%3A00%2B01%3A00&to=2026-12-01"
    assert first.path == f"/v1/export?{query}"
    assert first.headers["authorization"] == f"Bearer {TOKEN}"
    assert first.headers["accept-encoding"] == "identity"  # the server is on this machine
    assert second.path == "/v1/export?format=ndjson"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (refusal(400, "validation_failed"), "responded with 400: said validation_failed"),
        (refusal(401, "unauthorized"), "this token (401)"),
        (refusal(429, "rate_limited"), "responded with 429: said rate_limited"),
        (refusal(503, "unavailable"), "responded with 503: said unavailable"),
        (ScriptedAnswer(404, b"<html>"), "responded with 404, but does not seem to be a Tallyroom server."),
        (ScriptedAnswer(200 + 102, b"", {"location": "https://elsewhere.example.com/"}), "pass that as --url"),
        (ScriptedAnswer(500, b"[1]"), "responded with 500, but does not seem to be a Tallyroom server."),
        (ScriptedAnswer(0), "The export is not complete."),
    ],
)
def test_a_refusal_is_a_sentence(told: ScriptedAnswer, said: str) -> None:
    with (
        ScriptedServer(lambda _: told) as server,
        pytest.raises(ExportStopped) as stopped,
        open_server_client(server.url) as client,
    ):
        list(download(client, TOKEN, ALL))
    assert said in stopped.value.message
    assert TOKEN not in stopped.value.message


@pytest.mark.parametrize("token", ["", "a b", "é", "a\nb", "\x7f"])
def test_what_can_be_no_token_is_not_sent(token: str) -> None:
    with (
        ScriptedServer(lambda _: ScriptedAnswer(200)) as server,
        open_server_client(server.url) as client,
        pytest.raises(ExportStopped),
    ):
        list(download(client, token, ALL))
    assert server.asked == []


def test_what_is_no_address() -> None:
    with pytest.raises(AddressUnusable), open_server_client("http://[::1"):
        pass


def test_a_session_ends_with_the_export() -> None:
    def answer(request: Request) -> ScriptedAnswer:
        return (
            ScriptedAnswer(204, b"", {"x-session-token": TOKEN})
            if request.path.endswith("login")
            else ScriptedAnswer(204, b"")
        )

    def interrupted(token: str) -> None:
        assert token == TOKEN
        raise KeyError

    with (
        ScriptedServer(answer) as server,
        open_server_client(server.url) as client,
        pytest.raises(KeyError),
        open_session(client, "a@example.com", "secret") as token,
    ):
        interrupted(token)
    login, logout = server.asked
    assert (login.path, json.loads(login.body)) == ("/v1/auth/login", {"email": "a@example.com", "password": "secret"})
    assert (logout.path, logout.headers["authorization"]) == ("/v1/auth/logout", f"Bearer {TOKEN}")


def test_a_wrong_password_is_a_sentence() -> None:
    with (
        ScriptedServer(lambda _: refusal(401, "unauthorized")) as server,
        open_server_client(server.url) as client,
        pytest.raises(ExportStopped, match="said unauthorized"),
        open_session(client, "a@example.com", "wrong"),
    ):
        pass
