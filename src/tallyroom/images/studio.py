"""Draws pictures beside the event loop, a few at a time, and keeps the ones that are asked for again."""

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple

import msgspec
from cachetools import LRUCache

from tallyroom import __version__
from tallyroom.charts.graph import Graph
from tallyroom.charts.layout import draw
from tallyroom.charts.raster import Renderer
from tallyroom.charts.svg import to_svg
from tallyroom.core.errors import Unavailable
from tallyroom.core.priority import step_back

_THREADS = 2
_MOST_WAITING = 64
_KEPT_BYTES = 32_000_000
_ASKED_BYTES = 32_000_000
_TAG_BYTES = 12


class Format(StrEnum):
    """What a picture is."""

    SVG = "image/svg+xml"
    PNG = "image/png"


Question = tuple[str, bytes]
"""A path and a query, as sent."""


class Picture(NamedTuple):
    """A picture as it is sent; the same graph has the same tag."""

    body: bytes
    format: Format
    tag: str


class _Asked(NamedTuple):
    """The picture of a question, and the bytes of both: a question may be longer than its picture."""

    picture: Picture
    size: int


class Studio:
    """The one place where pictures are drawn.

    Args:
        renderer: makes a PNG of SVG.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._threads = ThreadPoolExecutor(_THREADS, "draw", step_back)
        self._waiting = 0
        self._kept: LRUCache[str, Picture] = LRUCache(_KEPT_BYTES, getsizeof=_size)
        self._asked: LRUCache[Question, _Asked] = LRUCache(_ASKED_BYTES, getsizeof=attrgetter("size"))

    async def picture(self, graph: Graph, format_: Format, scale: int) -> Picture:
        """The picture of a graph.

        Raises:
            Unavailable: too many are waiting to be drawn.
        """
        tag = _tag(graph, format_, scale)
        kept = self._kept.get(tag)
        if kept is not None:
            return kept
        if self._waiting >= _MOST_WAITING:
            raise Unavailable("Too many pictures are being drawn.", retry_after=1)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            body = await loop.run_in_executor(self._threads, self._drawn, graph, format_, scale)
        finally:
            self._waiting -= 1
        made = Picture(body, format_, tag)
        if _size(made) <= _KEPT_BYTES:
            self._kept[tag] = made
        return made

    def keep(self, question: Question, picture: Picture) -> None:
        """Remember what this path and query ask for: reading a query of 30 kB takes longer than sending a picture."""
        size = sum(map(len, question)) + _size(picture)
        if size <= _ASKED_BYTES:
            self._asked[question] = _Asked(picture, size)

    def kept(self, question: Question) -> Picture | None:
        """The picture that was asked for by this path and query before."""
        asked = self._asked.get(question)
        return None if asked is None else asked.picture

    def close(self) -> None:
        """Wait for what is being drawn."""
        self._threads.shutdown()

    def _drawn(self, graph: Graph, format_: Format, scale: int) -> bytes:
        svg = to_svg(draw(graph), graph)
        if format_ is Format.SVG:
            return svg.encode()
        return self._renderer.png(svg, graph.width, graph.height, scale)


def _tag(graph: Graph, format_: Format, scale: int) -> str:
    """A name for the picture of a graph, which another version of the program may draw in another way."""
    said = msgspec.json.encode((__version__, format_, scale, graph))
    return f'"{hashlib.blake2b(said, digest_size=_TAG_BYTES).hexdigest()}"'


def _size(picture: Picture) -> int:
    return len(picture.body)
