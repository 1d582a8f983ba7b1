"""One pull: every bot on every page of a source becomes a row, and all rows share the moment of the pull."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import iso_ms
from tallyroom.import_export.batch import SentRow
from tallyroom.import_export.bots.fields import COUNTER_FIELDS, TIMESTAMP_FIELDS
from tallyroom.import_export.bots.repair import BotRepairer
from tallyroom.import_export.collect.fetch import Fetcher, SourceFailed, SourceNotFound, redact_url
from tallyroom.import_export.collect.spec import ID_PLACEHOLDER, CollectSpec
from tallyroom.import_export.row import RefusedRow, RowRefused

PageRows = list[SentRow | RefusedRow]


class BotPull:
    """The rows of one pull, which can be read once; `error` says why it failed, and is None if it has not."""

    def __init__(self, spec: CollectSpec, fetcher: Fetcher, now_ms: int) -> None:
        self.error: TallyroomError | None = None
        self._spec = spec
        self._fetcher = fetcher
        self._repairer = BotRepairer(now_ms)
        self._pulled_at = iso_ms(now_ms)
        self._bot_count = 0

    def iter_rows(self) -> Iterator[SentRow | RefusedRow]:
        """Yield the rows of complete pages. If the source fails, the rows end, and `error` has the reason."""
        pages = self._iter_single_bots() if self._spec.bot_ids else self._iter_pages()
        try:
            for page in pages:
                yield from page
        except TallyroomError as error:
            self.error = error

    def _iter_pages(self) -> Iterator[PageRows]:
        previous_bots: Any = None
        page_count = 0
        while self._bot_count < self._spec.max_bots:
            query = self._spec.paging.build_query(self._bot_count, page_count)
            bots = self._spec.find_bots(self._fetcher.get_json(self._spec.source_url, query))
            if not isinstance(bots, list) and not (page_count and bots is None):
                raise SourceFailed(
                    f"The response from {redact_url(self._spec.source_url)} has no list of bots at --items."
                )
            if not bots or bots == previous_bots:  # some sources repeat their last page forever
                return
            yield self._build_rows(bots)
            previous_bots, page_count = bots, page_count + 1
            if not self._spec.paging.parameter:
                return

    def _iter_single_bots(self) -> Iterator[PageRows]:
        for bot_id in self._spec.bot_ids[: self._spec.max_bots]:
            url = self._spec.source_url.replace(ID_PLACEHOLDER, quote(bot_id, safe=""))
            try:
                bot = self._spec.find_bots(self._fetcher.get_json(url, {}))
            except SourceNotFound as error:
                self._bot_count += 1
                yield [RefusedRow(self._bot_count, f"{bot_id}: {error.message}", b"")]
                continue
            yield self._build_rows([{"id": bot_id, **bot} if isinstance(bot, dict) else bot])

    def _build_rows(self, bots: list[Any]) -> PageRows:
        return [self._build_row(bot) for bot in bots[: self._spec.max_bots - self._bot_count]]

    def _build_row(self, bot: Any) -> SentRow | RefusedRow:
        self._bot_count += 1
        display = msgspec.json.encode(bot)
        if not isinstance(bot, dict):
            return RefusedRow(self._bot_count, "is not a JSON object", display)
        value_by_field = self._spec.extract_fields(bot)
        try:
            bot_row = self._repairer.repair_bot(value_by_field)
        except RowRefused as error:
            return RefusedRow(self._bot_count, str(error), display)
        if bot_row.keys() & COUNTER_FIELDS.keys():
            times = (value_by_field[name] for name in TIMESTAMP_FIELDS if name in value_by_field)
            bot_row["timestamp"] = next(filter(None, map(self._repairer.repair_timestamp, times)), self._pulled_at)
        return SentRow(self._bot_count, msgspec.json.encode(bot_row), display)
