"""The checksums of a SQLite write-ahead log: each continues the one before, over words of four bytes."""

import sys
from array import array
from collections.abc import Iterator

Sums = tuple[int, int]

_MASK = 0xFFFF_FFFF


def summed(content: bytes, sums: Sums, *, big_endian: bool = False) -> Sums:
    """Return the checksum of a text whose length is a multiple of eight, behind one with the checksum `sums`."""
    first, second = sums
    words = iter(_words(content, big_endian=big_endian))
    for even, odd in zip(words, words, strict=True):
        first = first + even + second & _MASK
        second = second + odd + first & _MASK
    return first, second


def texts_before(content: bytes, sums: Sums, target: Sums, *, big_endian: bool = False) -> list[bytes]:
    """Return each text that differs in one byte and has the checksum `target`.

    There is none, unless one byte changed: 64 bits do not fit by chance. There are several if a high bit changed,
    because the checksum is linear: what a word adds to it grows with each word behind, and overflows.
    """
    now = summed(content, sums, big_endian=big_endian)
    change = (target[0] - now[0] & _MASK, target[1] - now[1] & _MASK)
    texts: list[bytes] = []
    effect_of_even, effect_of_odd = (1, 1), (0, 1)
    for start in reversed(range(0, len(content), 8)):
        for at, effect in ((start, effect_of_even), (start + 4, effect_of_odd)):
            for place, value in _bytes_that_explain(content, at, effect, change, big_endian=big_endian):
                texts.append(content[:place] + bytes([value]) + content[place + 1 :])
        effect_of_even, effect_of_odd = _followed(effect_of_even), _followed(effect_of_odd)
    return texts


def _followed(effect: Sums) -> Sums:
    """Return an effect with two more words behind it."""
    first = effect[0] + effect[1] & _MASK
    return first, effect[1] + first & _MASK


def _bytes_that_explain(
    content: bytes, at: int, effect: Sums, change: Sums, *, big_endian: bool
) -> Iterator[tuple[int, int]]:
    """Yield the places in a word, and the values there, that explain a change."""
    for number in range(4):
        place = at + number
        shift = 8 * (3 - number if big_endian else number)
        for value in range(256):
            difference = (value - content[place]) << shift
            if difference * effect[0] & _MASK == change[0] and difference * effect[1] & _MASK == change[1]:
                yield place, value


def _words(content: bytes, *, big_endian: bool) -> "array[int]":
    words = array("I", content)
    if big_endian != (sys.byteorder == "big"):
        words.byteswap()
    return words
