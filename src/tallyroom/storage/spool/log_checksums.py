"""The checksums of a SQLite write-ahead log: each continues the previous one, over words of four bytes."""

import sys
from array import array
from collections.abc import Iterator

Checksum = tuple[int, int]

_MASK = 0xFFFF_FFFF


def compute_checksum(content: bytes, start_checksum: Checksum, *, is_big_endian: bool = False) -> Checksum:
    """Continue `start_checksum` over `content`, whose length must be a multiple of eight."""
    first, second = start_checksum
    words = iter(_read_words(content, is_big_endian=is_big_endian))
    for even, odd in zip(words, words, strict=True):
        first = first + even + second & _MASK
        second = second + odd + first & _MASK
    return first, second


def find_originals(
    content: bytes, start_checksum: Checksum, target_checksum: Checksum, *, is_big_endian: bool = False
) -> list[bytes]:
    """Return each text that differs in one byte and has the checksum `target_checksum`.

    There is none unless one byte changed: 64 bits do not fit by chance. After a changed high bit, there are several,
    because the effect of a word grows with each following word, and overflows.
    """
    current = compute_checksum(content, start_checksum, is_big_endian=is_big_endian)
    checksum_change = (target_checksum[0] - current[0] & _MASK, target_checksum[1] - current[1] & _MASK)
    originals: list[bytes] = []
    effect_of_even, effect_of_odd = (1, 1), (0, 1)
    for pair_index in reversed(range(0, len(content), 8)):
        for word_index, effect in ((pair_index, effect_of_even), (pair_index + 4, effect_of_odd)):
            for byte_index, value in _find_explaining_bytes(
                content, word_index, effect, checksum_change, is_big_endian=is_big_endian
            ):
                originals.append(content[:byte_index] + bytes([value]) + content[byte_index + 1 :])
        effect_of_even, effect_of_odd = _extend_effect(effect_of_even), _extend_effect(effect_of_odd)
    return originals


def _extend_effect(effect: Checksum) -> Checksum:
    first = effect[0] + effect[1] & _MASK
    return first, effect[1] + first & _MASK


def _find_explaining_bytes(
    content: bytes, word_index: int, effect: Checksum, checksum_change: Checksum, *, is_big_endian: bool
) -> Iterator[tuple[int, int]]:
    """Yield the byte indexes in a word, and the values there, that explain a change."""
    for offset in range(4):
        byte_index = word_index + offset
        shift = 8 * (3 - offset if is_big_endian else offset)
        for value in range(256):
            difference = (value - content[byte_index]) << shift
            if (
                difference * effect[0] & _MASK == checksum_change[0]
                and difference * effect[1] & _MASK == checksum_change[1]
            ):
                yield byte_index, value


def _read_words(content: bytes, *, is_big_endian: bool) -> "array[int]":
    words = array("I", content)
    if is_big_endian != (sys.byteorder == "big"):
        words.byteswap()
    return words
