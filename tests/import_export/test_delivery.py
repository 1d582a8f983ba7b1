"""A body is posted until it is settled, or until that is no use."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from random import Random

import pytest

from harness.clients.import_line import KEY, MakeLine
from harness.servers.scripted_server import ScriptedAnswer, refusal
from tallyroom.core.clock import SystemClock
from tallyroom.import_export.delivery import Delivery, ImportStopped, Reply
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT

BODY = b'{"events":[{"name":"e"}]}'
HANG_UP = ScriptedAnswer(0)
SOON = {"retry-after": "0"}


def to(url: str, key: str = KEY, patience: float = 0) -> Delivery:
    return Delivery(
        url,
        key,
        EVENTS_ENDPOINT,
        patience_seconds=patience,
        clock=SystemClock(),
        random=Random(1),
        notify=lambda _: None,
    )


def test_a_body_goes_out_with_its_keys(make_line: MakeLine) -> None:
    line = make_line()
    assert line.delivery.post(BODY, "batch-1") == Reply(202, is_replay=False, body={"accepted": 1})
    [asked] = line.asked
    assert (asked.path, asked.body) == ("/v1/events", BODY)
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["idempotency-key"] == "batch-1"
    assert asked.headers["content-type"] == "application/json"
    assert "content-encoding" not in asked.headers  # one machine: it would cost more than it saves
    assert line.notices == []


def test_a_distant_server_gets_it_compressed(make_line: MakeLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallyroom.import_export.connection._LOOPBACK_HOSTS", frozenset())
    line = make_line()
    line.delivery.post(BODY, "k")
    assert line.asked[0].headers["content-encoding"] == "gzip"
    assert line.asked[0].body == BODY


def test_a_replay_says_so(make_line: MakeLine) -> None:
    line = make_line(ScriptedAnswer(202, b'{"accepted":1}', {"idempotent-replayed": "true"}))
    assert line.delivery.post(BODY, "k").is_replay


@pytest.mark.parametrize("status", [400, 413, 422])
def test_what_is_refused_for_its_content_is_settled(make_line: MakeLine, status: int) -> None:
    line = make_line(refusal(status, "validation_failed", (["events", 0], "is wrong")))
    reply = line.delivery.post(BODY, "k")
    assert (reply.status, reply.body["error"]) == (status, "validation_failed")
    assert len(line.asked) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"\xff"])
def test_an_answer_that_is_no_object_counts_as_empty(make_line: MakeLine, body: bytes) -> None:
    assert make_line(ScriptedAnswer(413, body)).delivery.post(BODY, "k") == Reply(413, is_replay=False, body={})


@pytest.mark.parametrize("status", [409, 429, 500, 502, 503, 504])
def test_what_may_pass_is_asked_again_with_the_same_key(make_line: MakeLine, status: int) -> None:
    line = make_line(ScriptedAnswer(status, headers=SOON), HANG_UP, ScriptedAnswer(status, headers=SOON))
    assert line.delivery.post(BODY, "k").status == 202
    assert [(asked.headers["idempotency-key"], asked.body) for asked in line.asked] == [("k", BODY)] * 4
    assert len(line.notices) == 1
    assert line.notices[0].endswith("Trying again.")


@pytest.mark.long
def test_retry_after_holds_for_every_thread(make_line: MakeLine) -> None:
    lines = [make_line(ScriptedAnswer(status, headers={"retry-after": "1"})) for status in (429, 503)]
    since = time.monotonic()
    with ThreadPoolExecutor() as threads:
        firsts = [threads.submit(line.delivery.post, BODY, "first") for line in lines]
        while not all(line.notices for line in lines):
            time.sleep(0.01)
        for line in lines:
            line.delivery.post(BODY, "second")
            assert time.monotonic() - since >= 1
        assert [first.result(10).status for first in firsts] == [202, 202]
    for line in lines:
        assert sorted(asked.headers["idempotency-key"] for asked in line.asked) == ["first", "first", "second"]


@pytest.mark.long
def test_retry_after_may_be_a_date(make_line: MakeLine) -> None:
    """RFC 9110, 10.2.3: a number of seconds or an HTTP date. A date has whole seconds."""
    at = int(time.time()) + 1
    line = make_line(ScriptedAnswer(503, headers={"retry-after": formatdate(at, usegmt=True)}))
    assert line.delivery.post(BODY, "k").status == 202
    assert time.time() >= at


def test_a_date_that_has_passed_is_now(make_line: MakeLine) -> None:
    line = make_line(ScriptedAnswer(503, headers={"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}), patience=1)
    assert line.delivery.post(BODY, "k").status == 202


@pytest.mark.parametrize("told", ["", "soon", "-1", "1.5", "²", "Fri, 31 Foo 2026", "Fri, 31 Dec 99999 00:00:00 GMT"])
def test_a_time_that_is_none_is_left_to_us(make_line: MakeLine, told: str) -> None:
    line = make_line(ScriptedAnswer(503, headers={"retry-after": told}), patience=5)
    assert line.delivery.post(BODY, "k").status == 202


@pytest.mark.parametrize("told", ["3600", "9" * 400, formatdate(4_000_000_000, usegmt=True)])
def test_a_time_beyond_patience_ends_it_at_once(make_line: MakeLine, told: str) -> None:
    line = make_line(ScriptedAnswer(503, headers={"retry-after": told}), patience=300)
    with pytest.raises(
        ImportStopped, match=r"It asks for a pause of \d+ seconds, which is longer than --patience \(300\)\.$"
    ):
        line.delivery.post(BODY, "k")
    assert len(line.asked) == 1


def test_an_answer_that_cannot_be_read_is_asked_for_again(make_line: MakeLine) -> None:
    line = make_line(ScriptedAnswer(202, b"plain", {"content-encoding": "gzip"}))
    assert line.delivery.post(BODY, "k").status == 202
    assert len(line.asked) == 2


def test_a_server_that_comes_back_is_found(make_line: MakeLine) -> None:
    line = make_line()
    gone = to("http://127.0.0.1:1", patience=0.1)
    with pytest.raises(
        ImportStopped, match=r"^http://127\.0\.0\.1:1 does not respond: .*Gave up after 0\.1 seconds\.$"
    ):
        gone.post(BODY, "k")
    assert line.delivery.post(BODY, "k").status == 202


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (refusal(401, "unauthorized"), r"does not accept this API key \(401\): it is wrong or revoked\.$"),
        (refusal(402, "plan_limit"), r"responded with 402: said plan_limit\.$"),
        (refusal(403, "forbidden"), r"responded with 403: said forbidden\.$"),
        (refusal(404, "not_found"), r"responded with 404: said not_found\.$"),
        (ScriptedAnswer(404, b"<html>"), r"responded with 404, but does not seem to be a Tallyroom server\.$"),
        (ScriptedAnswer(200, b"hello"), r"responded with 200, but does not seem to be a Tallyroom server\.$"),
        (
            ScriptedAnswer(301, headers={"location": "https://e.example/v1/events"}),
            "redirects to https://e.example/v1/events",
        ),
    ],
)
def test_what_will_not_pass_ends_it_at_once(make_line: MakeLine, answer: ScriptedAnswer, message: str) -> None:
    line = make_line(answer)
    with pytest.raises(ImportStopped, match=message) as stopped:
        line.delivery.post(BODY, "k")
    assert len(line.asked) == 1
    assert KEY not in stopped.value.message


def test_patience_ends_but_not_for_a_server_that_names_the_time(make_line: MakeLine) -> None:
    line = make_line(*[ScriptedAnswer(503, headers=SOON)] * 3, patience=0)
    with pytest.raises(ImportStopped, match=r"responded with 503.* Gave up after 0 seconds"):
        line.delivery.post(BODY, "k")
    limited = make_line(*[ScriptedAnswer(429, headers=SOON)] * 3, patience=0)
    assert limited.delivery.post(BODY, "k").status == 202


def test_a_stop_ends_every_wait(make_line: MakeLine) -> None:
    line = make_line(*[ScriptedAnswer(503, headers={"retry-after": "3600"})] * 9, patience=9999)
    threading.Timer(0.2, line.delivery.stop).start()
    with pytest.raises(ImportStopped, match=r"^Stopped"):
        line.delivery.post(BODY, "k")
    with pytest.raises(ImportStopped, match=r"^Stopped"):
        line.delivery.post(BODY, "k")
    assert len(line.asked) == 1


@pytest.mark.parametrize("key", ["", "a b", "tr_live_x\n", "tr_live_é", "\x00"])
def test_a_key_that_cannot_be_one_is_not_repeated(key: str) -> None:
    with pytest.raises(ImportStopped, match=r"^No usable API key: set TALLYROOM_KEY, or pass --key\.$"):
        to("http://127.0.0.1:1", key)
