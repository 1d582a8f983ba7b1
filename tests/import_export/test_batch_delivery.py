"""The rest of a batch counts, whatever the server refuses of it."""

import json
from collections.abc import Callable

import pytest

from harness.clients.import_line import ACCEPTED, MakeLine
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, refusal
from harness.suite.few import few
from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.batch_delivery import settle_batch
from tallyroom.import_export.delivery import ImportStopped
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT, bot_import_endpoint
from tallyroom.import_export.row import RefusedRow


def batch(*names: str) -> ImportBatch:
    events = [json.dumps({"name": name}).encode() for name in names]
    return ImportBatch(
        EVENTS_ENDPOINT,
        rows=[SentRow(line, event, event) for line, event in enumerate(events, start=10)],
        key="k",
        last_line_number=99,
    )


def without_names(asked: ReceivedRequest) -> ScriptedAnswer:
    """Refuses the events called bad as a server does that cannot name them."""
    bad = any(event["name"] == "bad" for event in asked.events)
    return refusal(413, "payload_too_large") if bad else ACCEPTED


def named(asked: ReceivedRequest) -> ScriptedAnswer:
    """Refuses the first two events called bad and names them."""
    bad = [index for index, event in enumerate(asked.events) if event["name"] == "bad"]
    details: list[tuple[list[str | int], str]] = [(["events", index, "name"], "is bad") for index in bad[:2]]
    return refusal(400, "validation_failed", *details) if bad else ACCEPTED


def counted(line_asked: list[ReceivedRequest], answer: Callable[[ReceivedRequest], ScriptedAnswer]) -> list[str]:
    return [event["name"] for asked in line_asked if answer(asked).status == 202 for event in asked.events]


def test_an_accepted_batch(make_line: MakeLine) -> None:
    outcome = settle_batch(batch("a", "b"), make_line().delivery)
    assert (outcome.accepted_count, outcome.replay_count, outcome.refusals, outcome.has_other_refusals) == (
        2,
        0,
        [],
        False,
    )


def test_a_batch_that_counted_before(make_line: MakeLine) -> None:
    outcome = settle_batch(
        batch("a", "b"), make_line(ACCEPTED._replace(headers={"idempotent-replayed": "true"})).delivery
    )
    assert (outcome.accepted_count, outcome.replay_count, outcome.has_other_refusals) == (0, 2, False)


def test_named_events_are_taken_out_until_none_is_left(make_line: MakeLine) -> None:
    line = make_line(ask=named)
    outcome = settle_batch(batch("a", "bad", "b", "bad", "bad", "c"), line.delivery)
    assert outcome.accepted_count == 3
    assert [(row.line_number, row.reason) for row in outcome.refusals] == [
        (11, "name: is bad"),
        (13, "name: is bad"),
        (14, "name: is bad"),
    ]
    assert counted(line.asked, named) == ["a", "b", "c"]
    assert {asked.headers["idempotency-key"] for asked in line.asked} == {"k"}  # it is free as long as it is refused


def test_several_faults_of_one_event_are_one_reason(make_line: MakeLine) -> None:
    answer = refusal(400, "validation_failed", (["events", 1, "name"], "is empty"), (["events", 1], "is odd"))
    outcome = settle_batch(batch("a", "b"), make_line(answer).delivery)
    assert [row.reason for row in outcome.refusals] == ["name: is empty; is odd"]


def test_rows_that_were_refused_before_are_told_in_the_order_of_the_file(make_line: MakeLine) -> None:
    found = batch("a", "bad")
    found.refusals = [RefusedRow(12, "not JSON", b""), RefusedRow(3, "not JSON", b"")]
    outcome = settle_batch(found, make_line(ask=named).delivery)
    assert [row.line_number for row in outcome.refusals] == [3, 11, 12]


def test_a_batch_of_refused_rows_asks_nothing(make_line: MakeLine) -> None:
    line = make_line()
    outcome = settle_batch(
        ImportBatch(EVENTS_ENDPOINT, refusals=[RefusedRow(1, "no", b"")], last_line_number=1, key="k"), line.delivery
    )
    assert (outcome.accepted_count, len(outcome.refusals), line.asked) == (0, 1, [])


def test_unnamed_events_are_found_by_our_own_rules(make_line: MakeLine) -> None:
    line = make_line(refusal(400, "validation_failed", ([], "is not JSON")))
    found = batch("a", "b", "c")
    found.rows[1] = SentRow(11, b'{"name":"x","properties":{"a":1e999}}', b"")
    outcome = settle_batch(found, line.delivery)
    assert [(row.line_number, row.reason[:24]) for row in outcome.refusals] == [(11, "the row is not JSON: the")]
    assert (outcome.accepted_count, len(line.asked)) == (2, 2)


def test_a_large_event_is_found_by_our_own_rules(make_line: MakeLine) -> None:
    line = make_line(ask=lambda asked: refusal(413, "payload_too_large") if len(asked.body) > 65_536 else ACCEPTED)
    outcome = settle_batch(batch("a", "b" * 70_000, "c"), line.delivery)
    assert [row.line_number for row in outcome.refusals] == [11]
    assert "may have at most 65536" in outcome.refusals[0].reason
    assert outcome.accepted_count == 2


@few(
    3,
    "names",
    [["bad"], ["a", "bad"], ["bad", "a", "b"], ["a"] * 7 + ["bad"] + ["b"] * 5 + ["bad", "bad"], ["bad"] * 9],
)
def test_what_nobody_names_is_found_by_halving(make_line: MakeLine, names: list[str]) -> None:
    line = make_line(ask=without_names)
    outcome = settle_batch(batch(*names), line.delivery)
    assert [row.line_number for row in outcome.refusals] == [10 + at for at, name in enumerate(names) if name == "bad"]
    assert {row.reason for row in outcome.refusals} == {"said payload_too_large"}
    assert outcome.accepted_count == names.count("a") + names.count("b")
    assert counted(line.asked, without_names) == [name for name in names if name != "bad"]
    keys = [asked.headers["idempotency-key"] for asked in line.asked]
    assert len(set(keys)) == len(keys)  # each part is another request
    again = make_line(ask=without_names)
    settle_batch(batch(*names), again.delivery)
    assert [asked.headers["idempotency-key"] for asked in again.asked] == keys


def test_a_proxy_that_takes_small_bodies_only(make_line: MakeLine) -> None:
    line = make_line(ask=lambda asked: ScriptedAnswer(413, b"<html>") if len(asked.events) > 2 else ACCEPTED)
    assert settle_batch(batch(*"abcdefgh"), line.delivery).accepted_count == 8


def test_a_second_run_finds_what_the_first_had_taken_out(make_line: MakeLine) -> None:
    counted_before = ACCEPTED._replace(headers={"idempotent-replayed": "true"})
    line = make_line(ask=lambda asked: refusal(422, "mismatch") if len(asked.events) == 3 else counted_before)
    found = batch("a", "b", "c")
    found.rows[1] = SentRow(11, b'{"name":"","_actor":7}', b"")
    outcome = settle_batch(found, line.delivery)
    assert (outcome.accepted_count, outcome.replay_count, outcome.has_other_refusals) == (0, 2, False)
    assert [(row.line_number, row.reason) for row in outcome.refusals] == [
        (11, "name: is empty; _actor: is not a string")
    ]
    assert {asked.headers["idempotency-key"] for asked in line.asked} == {"k"}


def test_a_second_run_that_would_take_out_others_counts_nothing_twice(make_line: MakeLine) -> None:
    for wrong in (b'{"name":"b"}', b'{"name":""}'):
        found = batch("a", "b")
        found.rows[1] = SentRow(11, wrong, b"")
        outcome = settle_batch(found, make_line(ask=lambda _: refusal(422, "mismatch")).delivery)
        assert (outcome.accepted_count, outcome.replay_count, outcome.refusals, outcome.has_other_refusals) == (
            0,
            2,
            [],
            True,
        )


@pytest.mark.parametrize("at", [2, 99, -1])
def test_names_of_events_that_are_not_there_are_no_names(make_line: MakeLine, at: int) -> None:
    answer = refusal(400, "validation_failed", (["events", at, "name"], "is bad"))
    line = make_line(ask=lambda asked: answer if len(asked.events) == 2 else ACCEPTED)
    assert settle_batch(batch("a", "b"), line.delivery).accepted_count == 2


def test_another_server_ends_it(make_line: MakeLine) -> None:
    with pytest.raises(ImportStopped, match="does not seem to be a Tallyroom server"):
        settle_batch(batch("a"), make_line(ScriptedAnswer(400, b"Bad Request")).delivery)


@pytest.mark.parametrize(
    "answer",
    [
        ScriptedAnswer(202, b"<html>"),
        ScriptedAnswer(202, b"{}"),
        ScriptedAnswer(400, b"{}"),
        ScriptedAnswer(422, b"<html>"),
        ScriptedAnswer(422, b'{"detail":[]}'),
    ],
)
def test_only_a_tallyroom_server_is_believed(make_line: MakeLine, answer: ScriptedAnswer) -> None:
    """Something else that says 202 or 422 has counted nothing."""
    with pytest.raises(ImportStopped, match="does not seem to be a Tallyroom server"):
        settle_batch(batch("a", "b"), make_line(answer).delivery)


@pytest.mark.parametrize("details", [b"null", b"7", b'{"path":[]}', b'[7,{"path":["events",0],"message":5}]'])
def test_details_that_name_nothing(make_line: MakeLine, details: bytes) -> None:
    line = make_line(ScriptedAnswer(400, b'{"error":"e","message":"no","details":' + details + b"}"))
    outcome = settle_batch(batch("a"), line.delivery)
    assert [row.reason for row in outcome.refusals] == ["no"]


@pytest.mark.parametrize(
    "told",
    [
        b'{"bots":1,"votes":1,"repeated":3}',
        b'{"bots":1,"votes":1,"repeated":3,"known":null}',
        b'{"bots":2,"votes":1,"repeated":2,"known":3}',
    ],
)
def test_rows_of_a_listing_that_counted_before(make_line: MakeLine, told: bytes) -> None:
    rows = [SentRow(line, b"{}", b"") for line in range(5)]
    line = make_line(ScriptedAnswer(200, told), endpoint=bot_import_endpoint("chat"))
    outcome = settle_batch(ImportBatch(bot_import_endpoint("chat"), rows), line.delivery)
    assert (outcome.accepted_count, outcome.replay_count) == (2, 3)
    [asked] = line.asked
    assert (asked.path, asked.body) == ("/chat/import", b'{"rows":[{},{},{},{},{}]}')
    assert "idempotency-key" not in asked.headers


def test_a_row_of_a_listing_that_nobody_names_is_found_by_halving(make_line: MakeLine) -> None:
    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        return (
            refusal(400, "bad") if b"bad" in asked.body else ScriptedAnswer(200, b'{"bots":1,"votes":0,"repeated":0}')
        )

    rows = [SentRow(line, b'{"n":"%s"}' % (b"bad" if line == 3 else b"good"), b"") for line in range(7)]
    line = make_line(ask=answer, endpoint=bot_import_endpoint("chat"))
    outcome = settle_batch(ImportBatch(bot_import_endpoint("chat"), rows), line.delivery)
    assert ([row.line_number for row in outcome.refusals], outcome.accepted_count) == ([3], 6)
    assert not any("idempotency-key" in asked.headers for asked in line.asked)
