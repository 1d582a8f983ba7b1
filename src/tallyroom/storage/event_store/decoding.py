"""Decodes the engine's answers into rows, in slices, so that a long answer does not block the event loop."""

import asyncio
from typing import Final, TypeVar

import msgspec

R = TypeVar("R", bound=msgspec.Struct)

SLICE_BYTES: Final = 100_000  # between two pauses: about half a millisecond


async def decode_rows(answer: bytes, decoder: msgspec.json.Decoder[R]) -> list[R]:
    """Decode an answer with one row per line; other tasks run between two slices of a long answer."""
    rows: list[R] = []
    start = 0
    while len(answer) - start > SLICE_BYTES:
        end = answer.find(b"\n", start + SLICE_BYTES) + 1 or len(answer)
        rows += decoder.decode_lines(answer[start:end])
        start = end
        await asyncio.sleep(0)
    return rows + decoder.decode_lines(answer[start:])
