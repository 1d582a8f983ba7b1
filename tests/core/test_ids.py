"""Ids and secrets come from the injected clock and randomness and from nothing else."""

import random
import uuid
from collections import Counter
from typing import Any

import pytest

from tallyroom.core.ids import BASE62, IdGenerator


def seeded(seed: int) -> Any:
    return random.Random(seed).randbytes


@pytest.mark.parametrize("byte", [b"\x00", b"\xff", b"\x5a"])
def test_an_id_is_a_uuid7_of_the_clock_whatever_the_randomness(fake_clock: Any, byte: bytes) -> None:
    made = IdGenerator(fake_clock, lambda count: byte * count).uuid7()
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == fake_clock.now_ms()
    assert made.int & 0xFFFF == int.from_bytes(byte * 2, "big")


def test_all_74_bits_are_random(fake_clock: Any) -> None:
    low = IdGenerator(fake_clock, lambda count: b"\x00" * count).uuid7().int
    high = IdGenerator(fake_clock, lambda count: b"\xff" * count).uuid7().int
    assert (low ^ high).bit_count() == 74


def test_ids_are_text_in_the_order_of_time(fake_clock: Any) -> None:
    id_generator = IdGenerator(fake_clock, seeded(1))
    made = []
    for _ in range(100):
        made.append(id_generator.new())
        fake_clock.advance(0.001)
    assert made == sorted(set(made))
    assert all(str(uuid.UUID(each)) == each for each in made)


def test_the_same_randomness_makes_the_same_and_other_randomness_other_ids(fake_clock: Any) -> None:
    one, same, other = (IdGenerator(fake_clock, seeded(seed)) for seed in (1, 1, 2))
    assert [one.new(), one.base62(20)] == [same.new(), same.base62(20)]
    assert one.new() != other.new()


def test_base62_has_the_asked_length_and_every_character_evenly() -> None:
    id_generator = IdGenerator(random_bytes=seeded(3))
    assert [len(id_generator.base62(length)) for length in (0, 1, 32, 100)] == [0, 1, 32, 100]
    counted = Counter(id_generator.base62(62_000))
    assert set(counted) == set(BASE62)
    assert max(counted.values()) < 1.2 * min(counted.values())


def test_bytes_that_would_favour_some_characters_are_thrown_away() -> None:
    source = iter([bytes(range(246, 256)), bytes(10), bytes(10)])
    assert IdGenerator(random_bytes=lambda _: next(source)).base62(10) == "yz00000000"


def test_without_injection_the_machine_is_asked() -> None:
    assert IdGenerator().new() != IdGenerator().new()
