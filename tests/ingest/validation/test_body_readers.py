"""Large bodies are read by other processes, with the results and refusals of the functions."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from harness.clients.telemetry import traces
from harness.servers.worker_processes import workers_of
from harness.suite.few import few
from tallyroom.core.errors import PayloadTooLarge, TallyroomError, Unavailable, ValidationFailed
from tallyroom.core.event_limits import MAX_EVENTS
from tallyroom.core.process_pool import WorkerFault
from tallyroom.ingest.otlp.body import read_json, read_protobuf
from tallyroom.ingest.otlp.signals import SIGNALS
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.ingest.validation.exact import parse_exactly
from tallyroom.ingest.validation.fast import parse_plainly

NOW_MS = 1_700_000_000_000
PLAIN = b'{"events":[{"name":"a","_actor":"b","properties":{"x":[1,"\\u00e9"]}},{"name":"c"}]}'
ODD = b'{"name":"a",\n"properties":{"x":1e2,"big":%d}}' % 10**30


def processes() -> list[int]:
    """The processes that read bodies for this one."""
    return workers_of(os.getpid(), "tallyroom.ingest.validation.body_worker")


@pytest.fixture
async def readers() -> AsyncIterator[BodyReaders]:
    made = BodyReaders()
    yield made
    await made.close()


async def test_events_are_those_of_the_functions(readers: BodyReaders) -> None:
    plain = parse_plainly(PLAIN, NOW_MS)
    assert plain
    assert await readers.read_plain_events(PLAIN, NOW_MS) == plain
    assert parse_plainly(ODD, NOW_MS) is None
    assert await readers.read_plain_events(ODD, NOW_MS) is None
    assert await readers.read_exact_events(ODD, NOW_MS) == parse_exactly(ODD, NOW_MS)
    assert len(processes()) == 2  # what takes long does not delay what does not


async def test_records_are_those_of_the_functions(readers: BodyReaders) -> None:
    request = traces({"name": "a", "attributes": {"k": "v"}}, {"name": "x" * 300_000})
    sent = request.SerializeToString()
    taken = await readers.read_records("traces", sent, json=False)
    assert taken == read_protobuf(SIGNALS["traces"], sent)
    assert (taken.event_count, taken.left_out.too_large) == (1, 1)
    written = b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a"},{"name":"b"}]}]}]}'
    assert await readers.read_records("traces", written, json=True) == read_json(SIGNALS["traces"], written)


ODD_BODIES = [
    b'{"name":"a","properties":{"\\ud83d\\ude00":[1e5,-0.0,%d,null,"\\u0001"]}}' % 10**30,
    b'{"name":"a\\ud800"}',
    b'{"name":"a","\\ud800":1}',
    b'{"name":"a","properties":{"a":1e999}}',
    b'{"name":"a","a":1,"a":2}',
    b'{"name":"\xff"}',
    b"",
]


@few(2, "body", ODD_BODIES)
async def test_nothing_changes_on_the_way(readers: BodyReaders, body: bytes) -> None:
    def said(answer: object) -> str:
        return f"{answer!r} {getattr(answer, 'details', '')}"

    try:
        expected = said(parse_exactly(body, NOW_MS))
    except TallyroomError as refusal:
        expected = said(refusal)
    try:
        found = said(await readers.read_exact_events(body, NOW_MS))
    except TallyroomError as refusal:
        found = said(refusal)
    assert found == expected


WRONG = [
    (b'{"nam":"a"}', ValidationFailed),
    (b"nonsense", ValidationFailed),
    (b'{"events":[%b]}' % b",".join([b"{}"] * (MAX_EVENTS + 1)), PayloadTooLarge),
    (b'{"name":"a","properties":' + b"[" * 100_000, ValidationFailed),
]


@few(2, ("body", "refusal"), WRONG, ids=["field", "no JSON", "too many", "deep"])
async def test_refusals_are_those_of_the_functions(
    readers: BodyReaders, body: bytes, refusal: type[TallyroomError]
) -> None:
    with pytest.raises(refusal) as here:
        parse_exactly(body, NOW_MS)
    with pytest.raises(refusal) as there:
        await readers.read_exact_events(body, NOW_MS)
    assert type(there.value) is type(here.value)
    assert (there.value.message, there.value.details) == (here.value.message, here.value.details)
    with pytest.raises(ValidationFailed):
        await readers.read_records("logs", b"\xff" * 20, json=False)


async def test_a_process_that_breaks_is_a_503_and_the_next_body_is_read(readers: BodyReaders) -> None:
    assert await readers.read_exact_events(ODD, NOW_MS)
    (pid,) = processes()
    os.kill(pid, signal.SIGSTOP)
    reading = asyncio.create_task(readers.read_exact_events(ODD, NOW_MS))
    await asyncio.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(Unavailable) as refused:
        await reading
    assert refused.value.headers["retry-after"] == "1"
    assert await readers.read_exact_events(ODD, NOW_MS) == parse_exactly(ODD, NOW_MS)


async def test_a_fault_of_the_program_is_no_refusal(readers: BodyReaders) -> None:
    with pytest.raises(WorkerFault, match="KeyError"):
        await readers.read_records("nonsense", b"", json=False)


async def test_closing_ends_them() -> None:
    made = BodyReaders()
    await made.read_plain_events(PLAIN, NOW_MS)
    (pid,) = processes()
    await made.close()
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        pytest.fail("it is still there")
    with pytest.raises(Unavailable):
        await made.read_plain_events(PLAIN, NOW_MS)
