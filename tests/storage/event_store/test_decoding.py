"""The rows of an answer, however it is cut into slices."""

import asyncio

import msgspec
import pytest

from tallyroom.storage.event_store import decoding


class Pair(msgspec.Struct):
    key: str
    value: int


PAIRS = [Pair("é" * (number % 7), number) for number in range(500)]
ANSWER = msgspec.json.Encoder().encode_lines(PAIRS)
DECODER = msgspec.json.Decoder(Pair)


@pytest.mark.parametrize("at_once", [1, 7, 100, 5_000, len(ANSWER) - 1, len(ANSWER), len(ANSWER) + 1])
@pytest.mark.parametrize("answer", [ANSWER, ANSWER.rstrip(b"\n")], ids=["ended", "open"])
async def test_slices_end_between_rows(at_once: int, answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "SLICE_BYTES", at_once)
    assert await decoding.decode_rows(answer, DECODER) == PAIRS


async def test_an_empty_answer_has_no_rows() -> None:
    assert await decoding.decode_rows(b"", DECODER) == []


async def test_others_get_their_turn_between_two_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "SLICE_BYTES", len(ANSWER) // 10)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count())
    await decoding.decode_rows(ANSWER, DECODER)
    other.cancel()
    assert turns >= 9
