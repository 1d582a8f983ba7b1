"""`tallyroom bots collect`: feeds a running server with the bots of another listing, once or on a schedule."""

import sys
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from random import Random
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt, PositiveInt
from rich.console import Console

from tallyroom.cli.bots import ServerOptions
from tallyroom.cli.column_options import split_pair
from tallyroom.cli.import_run import plain_console
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import redact
from tallyroom.core.times import iso_ms
from tallyroom.import_export.batch import split_batches
from tallyroom.import_export.collect.fetch import Fetcher
from tallyroom.import_export.collect.pull import BotPull
from tallyroom.import_export.collect.schedule import parse_duration, run_every
from tallyroom.import_export.collect.spec import CollectSpec, PageUnit, Paging, check_spec, compile_extractor
from tallyroom.import_export.report import RefusalReport, format_count
from tallyroom.import_export.run import ImportRun

_ENV_PREFIX: Final = "TALLYROOM_COLLECT_"
_DEFAULT_MAX_BOTS: Final = 100_000


@dataclass(frozen=True)
class SourceOptions:
    """Where the bots come from, and how to read them."""

    source: Annotated[
        str, Parameter(env_var=f"{_ENV_PREFIX}SOURCE", help="URL of the list; with {id} in it, the URL of one bot.")
    ]
    source_token: Annotated[
        str,
        Parameter(
            env_var=f"{_ENV_PREFIX}SOURCE_TOKEN", show_default=False, help="Token of the source, sent unchanged."
        ),
    ] = ""
    source_header: Annotated[
        str, Parameter(env_var=f"{_ENV_PREFIX}SOURCE_HEADER", help="The header that the token is sent in.")
    ] = "authorization"
    items: Annotated[
        str,
        Parameter(env_var=f"{_ENV_PREFIX}ITEMS", help="JMESPath of the bots in a response; @ is the whole response."),
    ] = "@"
    fields: Annotated[
        tuple[str, ...],
        Parameter(
            name="--field",
            env_var=f"{_ENV_PREFIX}FIELDS",
            negative="",
            show_default=False,
            help="FIELD=EXPRESSION: JMESPath of a field in a bot; may be repeated.",
        ),
    ] = ()
    ids: Annotated[
        str,
        Parameter(env_var=f"{_ENV_PREFIX}IDS", show_default=False, help="The bots to request, separated by commas."),
    ] = ""
    most: Annotated[
        PositiveInt, Parameter(env_var=f"{_ENV_PREFIX}MOST", help="Maximum number of bots in one pull.")
    ] = _DEFAULT_MAX_BOTS


@dataclass(frozen=True)
class PageOptions:
    """How the source divides its list into pages."""

    page_parameter: Annotated[
        str,
        Parameter(
            env_var=f"{_ENV_PREFIX}PAGE_PARAMETER",
            show_default=False,
            help="Query parameter for the start of a page.",
        ),
    ] = ""
    page_counts: Annotated[
        PageUnit,
        Parameter(env_var=f"{_ENV_PREFIX}PAGE_COUNTS", help="What the parameter counts: bots (an offset) or pages."),
    ] = "bots"
    page_first: Annotated[
        NonNegativeInt, Parameter(env_var=f"{_ENV_PREFIX}PAGE_FIRST", help="Its value for the first page.")
    ] = 0
    page_size_parameter: Annotated[
        str,
        Parameter(
            env_var=f"{_ENV_PREFIX}PAGE_SIZE_PARAMETER",
            show_default=False,
            help="Query parameter for the size of a page.",
        ),
    ] = ""
    page_size: Annotated[PositiveInt, Parameter(env_var=f"{_ENV_PREFIX}PAGE_SIZE", help="Number of bots per page.")] = (
        100
    )

    @property
    def paging(self) -> Paging:
        """The same options in the form that the spec uses."""
        return Paging(self.page_parameter, self.page_counts, self.page_first, self.page_size_parameter, self.page_size)


def collect(
    *,
    source_options: Annotated[SourceOptions, Parameter(name="*")],
    page_options: Annotated[PageOptions, Parameter(name="*")] = PageOptions(),  # frozen
    server_options: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # noqa: B008 # frozen
    every: Annotated[
        str | None,
        Parameter(
            env_var=f"{_ENV_PREFIX}EVERY",
            negative="",
            help="Repeat the pull at this interval, such as 30m; by default it runs once.",
        ),
    ] = None,
) -> None:
    """Feed a running server with the bots of another listing.

    Each pull records all of its bots as of one moment. docs/howto/bots-import.md has examples.
    """
    collector = Collector(source_options, page_options.paging, server_options, plain_console())
    if every is None:
        sys.exit(0 if collector.pull() else 1)
    run_every(parse_duration(every), collector.pull, SystemClock(), time.sleep)


class Collector:
    """Pulls, feeds and reports; raises `SpecWrong` for wrong options. `console` is for messages, not the result."""

    def __init__(
        self, source_options: SourceOptions, paging: Paging, server_options: ServerOptions, console: Console
    ) -> None:
        pairs = (split_pair("--field", "FIELD=EXPRESSION", text) for text in source_options.fields)
        self._spec = CollectSpec(
            source_url=source_options.source,
            bot_ids=tuple(filter(None, (bot_id.strip() for bot_id in source_options.ids.split(",")))),
            find_bots=compile_extractor("--items", source_options.items),
            field_extractors={name: compile_extractor(f"--field {name}", expression) for name, expression in pairs},
            paging=paging,
            max_bots=source_options.most,
        )
        check_spec(self._spec)
        token = source_options.source_token.strip()
        self._headers = {source_options.source_header: token} if token else {}
        self._delivery_target = server_options.delivery_target
        self._console = console

    def pull(self) -> bool:
        """Pull and feed once, report the outcome, and return whether the pull was complete. Never raises."""
        now_ms = SystemClock().now_ms()
        try:
            return self._pull_once(now_ms)
        except TallyroomError as error:
            reason = error.message
        except Exception as error:  # noqa: BLE001 # the next pull is due in any case
            reason = f"{type(error).__name__}: {redact(str(error))}"
        self._console.print(f"{iso_ms(now_ms)} tallyroom: {reason}")
        return False

    def _pull_once(self, now_ms: int) -> bool:
        target = self._delivery_target
        with ExitStack() as stack:
            delivery = stack.enter_context(closing(target.open_delivery(self._console)))
            fetcher = stack.enter_context(
                Fetcher(
                    self._spec.source_url,
                    self._headers,
                    patience_seconds=target.patience_seconds,
                    clock=SystemClock(),
                    random=Random(),  # noqa: S311 # it spreads repeats
                    sleep=time.sleep,
                )
            )
            pull = BotPull(self._spec, fetcher, now_ms)
            report = RefusalReport(self._console.print, None, "bot")
            run = ImportRun(delivery, target.concurrency, lambda outcome: report.report_rows(outcome.refusals))
            try:
                run.send_batches(split_batches(pull.iter_rows(), target.endpoint))
            finally:
                totals = run.totals
                sys.stdout.write(
                    f"{iso_ms(now_ms)} {format_count(totals.accepted_count, 'bot', 'bots')} fed, "
                    f"{totals.refusal_count:,} left out.\n"
                )
                sys.stdout.flush()
        if pull.error is not None:
            outcome = f"{pull.error.message} The pull was interrupted; its complete pages were fed."
            self._console.print(f"{iso_ms(now_ms)} tallyroom: {outcome}")
        return pull.error is None
