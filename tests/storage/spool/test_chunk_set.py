"""A set of chunks has one name, which no other set has."""

import itertools

from tallyroom.storage.spool.chunk_set import ChunkRun, ChunkSet


def test_runs_that_touch_are_one() -> None:
    chunks = ChunkSet.of_runs([(7, 9), (1, 2), (3, 3), (5, 5)])
    assert chunks.runs == (ChunkRun(1, 3), ChunkRun(5, 5), ChunkRun(7, 9))
    assert (chunks.first_id, chunks.last_id, chunks.chunk_count) == (1, 9, 7)


def test_a_single_run_has_the_name_that_earlier_versions_gave_it() -> None:
    assert ChunkSet.of_range(3, 6).name == "3-6"
    assert ChunkSet.of_range(3, 6).checksum == 0x36FC4DAD


def test_every_set_has_a_name_of_its_own() -> None:
    ids = range(1, 8)
    subsets = [subset for size in ids for subset in itertools.combinations(ids, size)]
    names = {ChunkSet.of_runs((chunk_id, chunk_id) for chunk_id in subset).name for subset in subsets}
    assert len(names) == len(subsets)
