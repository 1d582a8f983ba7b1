"""One pull: every bot on every page of a source becomes a row, and all rows share the moment of the pull."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import iso_ms
from tallyroom.import_export.batch import SentRow
from tallyroom.import_export.bots.fields import COUNTERS, TIMES
from tallyroom.import_export.bots.repair import BotRepairer
from tallyroom.import_export.collect.fetch import Fetcher, NothingThere, SourceFailed, shown
from tallyroom.import_export.collect.spec import ID_PLACEHOLDER, CollectSpec
from tallyroom.import_export.row import RefusedRow, RowRefused

Page = list[SentRow | RefusedRow]


class Pull:
    """The rows of one pull, once.

    Args:
        spec: what to collect.
        fetcher: asks the source.
        now_ms: the moment of the pull.

    Attributes:
        problem: why the pull broke off; None as long as it has not.
    """

    def __init__(self, spec: CollectSpec, fetcher: Fetcher, now_ms: int) -> None:
        self.problem: TallyroomError | None = None
        self._spec = spec
        self._fetcher = fetcher
        self._repairer = BotRepairer(now_ms)
        self._moment = iso_ms(now_ms)
        self._count = 0

    def rows(self) -> Iterator[SentRow | RefusedRow]:
        """Yield the rows of complete pages; if the source fails, they end, and `problem` says why."""
        pages = self._single() if self._spec.ids else self._list()
        try:
            for page in pages:
                yield from page
        except TallyroomError as error:
            self.problem = error

    def _list(self) -> Iterator[Page]:
        before: Any = None
        pages = 0
        while self._count < self._spec.most:
            answer = self._fetcher.get(self._spec.source, self._spec.paging.query(self._count, pages))
            bots = self._spec.items(answer)
            if not isinstance(bots, list) and not (pages and bots is None):
                raise SourceFailed(f"The answer of {shown(self._spec.source)} has no list of bots at --items.")
            if not bots or bots == before:  # some sources repeat their last page forever
                return
            yield self._page(bots)
            before, pages = bots, pages + 1
            if not self._spec.paging.parameter:
                return

    def _single(self) -> Iterator[Page]:
        for bot_id in self._spec.ids[: self._spec.most]:
            try:
                bot = self._spec.items(
                    self._fetcher.get(self._spec.source.replace(ID_PLACEHOLDER, quote(bot_id, safe="")), {})
                )
            except NothingThere as error:
                self._count += 1
                yield [RefusedRow(self._count, f"{bot_id}: {error.message}", b"")]
                continue
            yield self._page([{"id": bot_id, **bot} if isinstance(bot, dict) else bot])

    def _page(self, bots: list[Any]) -> Page:
        return [self._row(bot) for bot in bots[: self._spec.most - self._count]]

    def _row(self, bot: Any) -> SentRow | RefusedRow:
        self._count += 1
        display = msgspec.json.encode(bot)
        if not isinstance(bot, dict):
            return RefusedRow(self._count, "is not a JSON object", display)
        values = self._spec.found_in(bot)
        try:
            row = self._repairer.bot(values)
        except RowRefused as error:
            return RefusedRow(self._count, str(error), display)
        if row.keys() & COUNTERS.keys():
            moments = (self._repairer.moment(values[name]) for name in TIMES if name in values)
            row["timestamp"] = next(filter(None, moments), self._moment)
        return SentRow(self._count, msgspec.json.encode(row), display)
