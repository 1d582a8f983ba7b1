"""Keeps what the answer about some windows follows from, and moves it on to later windows.

Parts of the time may be read again at any time: what is kept only grows by that, until events are removed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.cache import ENTRY_OVERHEAD_BYTES, Keepable
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.moved_windows import find_days, find_parts_to_read
from tallyroom.queries.kept_answers.pauses import FOREVER, Pause
from tallyroom.queries.kept_answers.revisions import Days
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.errors import QuestionTooCostly

_NO_DAYS = Days(0, -1)
_BYTES_PER_DAY = 120

Content = TypeVar("Content", bound=Keepable)


class WindowForm(Protocol[Content]):
    """A question about some windows, in order and disjoint; its text and parameters do not depend on their ends."""

    @property
    def sql(self) -> str:
        """The text."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All that the answer depends on besides the text and the windows."""

    @property
    def windows(self) -> Sequence[Window]:
        """The windows."""

    async def read(self) -> Content | None:
        """Read what the answer follows from; None if it cannot be kept."""

    async def move(self, content: Content, windows: Sequence[Window], parts: Sequence[Window]) -> Content | None:
        """Return the content, from that of earlier windows and the events in some parts; None if there are too many.

        The parts are in order and disjoint, and each is completely inside or outside each of all windows.
        """


class _KeptWindows(msgspec.Struct, Generic[Content], frozen=True):
    """The content of some windows, and the version, the numbers of changed days and the last change before it was read.

    `pause` follows if it cannot be moved.
    """

    content: Content
    windows: Sequence[Window]
    version: bytes
    number_by_day: Mapping[int, int]
    change: int
    pause: Pause

    @property
    def byte_count(self) -> int:
        """How much memory it takes, with its key."""
        return self.content.byte_count + _BYTES_PER_DAY * len(self.number_by_day) + ENTRY_OVERHEAD_BYTES


async def fetch_content(context: KeepingContext, form: WindowForm[Content]) -> Content | None:
    """Return what the answer follows from; None if it is not kept now, so that the question is asked as a whole."""
    length_in_days = [(window.until_ms - window.from_ms) // DAY_MS for window in form.windows]
    key = context.build_key(form.sql, {**form.parameters, "length_in_days": length_in_days})
    cache, workspace_id = context.cache, context.scope.workspace_id
    entry = cache.find(workspace_id, key)
    next_pause = Pause()
    if isinstance(entry, _KeptWindows):
        content = await _move(context, form, entry)
        if content is None:
            cache.keep(workspace_id, key, entry.pause)
            return None
        cache.hit_count += 1
    else:
        if isinstance(entry, Pause):
            if entry.looks_left:
                cache.keep(workspace_id, key, entry.pass_look())
                return None
            next_pause = entry.extend()
        cache.miss_count += 1
        content = await _read(form)
        if content is None:
            cache.keep(workspace_id, key, FOREVER)
            return None
    revisions = context.revisions
    number_by_day = revisions.list_numbers(find_days(form.windows))
    version = revisions.revision_of(_NO_DAYS)
    change = revisions.part_changes.last
    kept_windows = _KeptWindows(content, form.windows, version, number_by_day, change, next_pause)
    if not cache.keep(workspace_id, key, kept_windows):
        cache.keep(workspace_id, key, FOREVER)
    return content


async def _read(form: WindowForm[Content]) -> Content | None:
    """Read the content; None if it cannot be kept, or if reading it costs more than a question may."""
    try:
        return await form.read()
    except QuestionTooCostly:  # the question itself needs less memory
        return None


async def _move(context: KeepingContext, form: WindowForm[Content], entry: "_KeptWindows[Content]") -> Content | None:
    if entry.version != context.revisions.revision_of(_NO_DAYS):
        return None
    parts = find_parts_to_read(context.revisions, entry.number_by_day, entry.change, entry.windows, form.windows)
    return None if parts is None else await form.move(entry.content, entry.windows, parts)
