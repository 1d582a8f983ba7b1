"""What the engine writes in RowBinary is read as it was."""

from harness.stores.event_store import EventStore
from tallyroom.queries.row_binary import RowBinaryReader

SQL = """SELECT toInt64(-5), arrayMap(number -> toUInt64(number), range(300)), arrayMap(number -> bitShiftLeft(toUInt128(number), 64) + 7, [1, 2]),
  [0.5, -1.]"""


def test_values_are_read_one_after_another(event_store: EventStore) -> None:
    sealed_reader = event_store.sealed()
    reader = RowBinaryReader(sealed_reader.query(SQL, {}, "RowBinary"))
    sealed_reader.close()
    assert reader.has_more
    assert reader.read_integer() == -5
    assert [*reader.read_integers()] == [*range(300)]
    upper_halves, lower_halves = reader.read_pairs()
    assert ([*upper_halves], [*lower_halves]) == ([1, 2], [7, 7])
    assert [*reader.read_doubles()] == [0.5, -1.0]
    assert not reader.has_more
