"""Reads answers in ClickHouse's format RowBinary: values without separators, the lowest byte of each first."""

from array import array

_INTEGER_BYTES = 8
_MORE_BIT = 0x80  # in each byte of a length but the last


class RowBinaryReader:
    """Reads one value after another; the caller knows their types."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._position = 0

    @property
    def has_more(self) -> bool:
        """Whether there is another row."""
        return self._position < len(self._answer)

    def read_integer(self) -> int:
        """Read an integer of 64 bits that is less than 2^63."""
        return int.from_bytes(self._take(_INTEGER_BYTES), "little", signed=True)

    def read_integers(self) -> "array[int]":
        """Read an array of unsigned integers of 64 bits."""
        return array("Q", self._take(_INTEGER_BYTES * self._read_length()))

    def read_pairs(self) -> "tuple[array[int], array[int]]":
        """Read an array of unsigned integers of 128 bits; return their upper and their lower halves."""
        halves = array("Q", self._take(2 * _INTEGER_BYTES * self._read_length()))
        return halves[1::2], halves[::2]

    def read_doubles(self) -> "array[float]":
        """Read an array of doubles."""
        return array("d", self._take(_INTEGER_BYTES * self._read_length()))

    def _read_length(self) -> int:
        length = shift = 0
        while True:
            [byte] = self._take(1)
            length |= (byte & ~_MORE_BIT) << shift
            if not byte & _MORE_BIT:
                return length
            shift += 7

    def _take(self, byte_count: int) -> bytes:
        start, self._position = self._position, self._position + byte_count
        return self._answer[start : self._position]
