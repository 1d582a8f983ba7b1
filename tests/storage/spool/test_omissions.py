"""What is left out is decided before it is on its way, and goes on being so."""

from contextlib import closing

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, claim_all, claim_range, omission, put
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.chunk_set import ChunkRun
from tallyroom.storage.spool.claim import finish_claim
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.omissions import (
    OmissionSpan,
    add_omitted_counts,
    begin_omissions,
    count_omitted_events,
    list_omission_spans,
)
from tallyroom.storage.spool.queue import Spool

SCOPE = fresh_scope()
ANN = omission(SCOPE, "ann")
OLD = omission(SCOPE, before_ms=5, erasure="2")


async def put_chunk(spool: Spool) -> int:
    await put(spool, batch(spool, event(SCOPE)))
    return spool.last_id


def begin(spool: Spool, *omissions: Omission) -> None:
    spool.change(lambda connection: begin_omissions(connection, omissions)).result(5)


def spans(spool: Spool) -> list[OmissionSpan]:
    with closing(spool.open_reader()) as reader:
        return list_omission_spans(reader, claim_range(1, spool.last_id))


async def test_it_concerns_what_waits_but_not_what_is_on_its_way(spool: Spool) -> None:
    await put_chunk(spool)
    assert spool.change(claim_all).result(5) == claim_range(1, 1)
    begin(spool, ANN)
    assert [span.concerns(1) for span in spans(spool)] == [False], "its chunk may be in the store already"
    await put_chunk(spool)
    await put_chunk(spool)
    begin(spool, OLD)
    [_, span] = spans(spool)
    assert span == OmissionSpan(OLD, 1, 3, (ChunkRun(1, 1),))
    assert [span.concerns(chunk_id) for chunk_id in range(5)] == [False, False, True, True, False]
    with closing(spool.open_reader()) as reader:
        assert list_omission_spans(reader, claim_range(3, 3)) == [span]
        assert list_omission_spans(reader, claim_range(4, 4)) == []


async def test_one_that_has_begun_stays_as_it_is(spool: Spool) -> None:
    await put_chunk(spool)
    begin(spool, ANN)
    await put_chunk(spool)
    begin(spool, ANN, OLD)
    assert spans(spool) == [OmissionSpan(ANN, 1, 1), OmissionSpan(OLD, 1, 2)]
    begin(spool)
    assert len(spans(spool)) == 2, "what it concerns still waits"


async def test_it_is_counted_as_erased_and_forgotten_once_nothing_of_it_waits(spool: Spool) -> None:
    await put_chunk(spool)
    begin(spool, ANN, OLD)
    claim = spool.change(claim_all).result(5)
    assert claim is not None
    spool.change(lambda connection: finish_claim(connection, claim)).result(5)
    spool.change(lambda connection: add_omitted_counts(connection, {"1": 3, "2": 4})).result(5)
    assert [span.omission for span in spans(spool)] == [ANN], "nobody asks how many were too old"
    assert spool.change(lambda connection: count_omitted_events(connection, "1")).result(5) == 3
    assert spool.change(lambda connection: count_omitted_events(connection, "unknown")).result(5) == 0
    with closing(spool.open_reader()) as reader:
        assert read_spool_counts(reader).erased == 7
    begin(spool, ANN)
    assert len(spans(spool)) == 1
    begin(spool)
    assert spans(spool) == []
