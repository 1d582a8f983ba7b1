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
from tallyroom.cli.column_options import pair
from tallyroom.cli.import_run import plain_console
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import redact
from tallyroom.core.times import iso_ms
from tallyroom.import_export.batch import cut
from tallyroom.import_export.collect.fetch import Fetcher
from tallyroom.import_export.collect.pull import Pull
from tallyroom.import_export.collect.schedule import repeat, seconds_of
from tallyroom.import_export.collect.spec import CollectSpec, Counts, Paging, check_spec, finder
from tallyroom.import_export.report import Refusals, counted
from tallyroom.import_export.run import Run

_ENV: Final = "TALLYROOM_COLLECT_"
_MAX_BOTS: Final = 100_000


@dataclass(frozen=True)
class SourceOptions:
    """Where the bots come from, and how to read them."""

    source: Annotated[
        str, Parameter(env_var=f"{_ENV}SOURCE", help="URL of the list; with {id} in it, the URL of one bot.")
    ]
    source_token: Annotated[
        str, Parameter(env_var=f"{_ENV}SOURCE_TOKEN", show_default=False, help="Token of the source, sent as it is.")
    ] = ""
    source_header: Annotated[
        str, Parameter(env_var=f"{_ENV}SOURCE_HEADER", help="The header that the token is sent in.")
    ] = "authorization"
    items: Annotated[
        str, Parameter(env_var=f"{_ENV}ITEMS", help="JMESPath of the bots in an answer; @ is the whole answer.")
    ] = "@"
    fields: Annotated[
        tuple[str, ...],
        Parameter(
            name="--field",
            env_var=f"{_ENV}FIELDS",
            negative="",
            show_default=False,
            help="FIELD=EXPRESSION: JMESPath of a field in a bot; may be repeated.",
        ),
    ] = ()
    ids: Annotated[
        str,
        Parameter(env_var=f"{_ENV}IDS", show_default=False, help="The bots to request, separated by commas."),
    ] = ""
    most: Annotated[PositiveInt, Parameter(env_var=f"{_ENV}MOST", help="The most bots in one pull.")] = _MAX_BOTS


@dataclass(frozen=True)
class PageOptions:
    """How the source divides its list into pages."""

    page_parameter: Annotated[
        str,
        Parameter(
            env_var=f"{_ENV}PAGE_PARAMETER", show_default=False, help="Query parameter for the beginning of a page."
        ),
    ] = ""
    page_counts: Annotated[
        Counts, Parameter(env_var=f"{_ENV}PAGE_COUNTS", help="What it counts: bots, as an offset does, or pages.")
    ] = "bots"
    page_first: Annotated[
        NonNegativeInt, Parameter(env_var=f"{_ENV}PAGE_FIRST", help="Its value for the first page.")
    ] = 0
    page_size_parameter: Annotated[
        str,
        Parameter(
            env_var=f"{_ENV}PAGE_SIZE_PARAMETER", show_default=False, help="Query parameter for the size of a page."
        ),
    ] = ""
    page_size: Annotated[PositiveInt, Parameter(env_var=f"{_ENV}PAGE_SIZE", help="The size.")] = 100

    @property
    def paging(self) -> Paging:
        """The same options in the form that the spec uses."""
        return Paging(self.page_parameter, self.page_counts, self.page_first, self.page_size_parameter, self.page_size)


def collect(
    *,
    options: Annotated[SourceOptions, Parameter(name="*")],
    pages: Annotated[PageOptions, Parameter(name="*")] = PageOptions(),  # frozen
    server: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # noqa: B008 # frozen
    every: Annotated[
        str | None,
        Parameter(
            env_var=f"{_ENV}EVERY",
            negative="",
            help="Repeat the pull at this distance, as in 30m; by default it runs once.",
        ),
    ] = None,
) -> None:
    """Feed a running server with the bots of another listing.

    Each pull records all of its bots as of one moment. docs/howto/bots-import.md has examples.
    """
    collector = Collector(options, pages.paging, server, plain_console())
    if every is None:
        sys.exit(0 if collector.pull() else 1)
    repeat(seconds_of(every), collector.pull, SystemClock(), time.sleep)


class Collector:
    """Pulls, feeds and reports.

    Args:
        options: the options of the source.
        paging: how the source divides its list into pages.
        server: the server to feed.
        console: where messages for people go, apart from the result.

    Raises:
        SpecWrong: the options do not describe something that can be collected.
    """

    def __init__(self, options: SourceOptions, paging: Paging, server: ServerOptions, console: Console) -> None:
        pairs = (pair("--field", "FIELD=EXPRESSION", text) for text in options.fields)
        self._spec = CollectSpec(
            source=options.source,
            ids=tuple(filter(None, (bot_id.strip() for bot_id in options.ids.split(",")))),
            items=finder("--items", options.items),
            fields={name: finder(f"--field {name}", expression) for name, expression in pairs},
            paging=paging,
            most=options.most,
        )
        check_spec(self._spec)
        token = options.source_token.strip()
        self._headers = {options.source_header: token} if token else {}
        self._way = server.way
        self._console = console

    def pull(self) -> bool:
        """Pull and feed once, report the outcome, and return whether the pull was complete. Never raises."""
        now_ms = SystemClock().now_ms()
        try:
            return self._pull(now_ms)
        except TallyroomError as error:
            self._console.print(f"{iso_ms(now_ms)} tallyroom: {error.message}")
        except Exception as error:  # noqa: BLE001 # the next pull is due in any case
            self._console.print(f"{iso_ms(now_ms)} tallyroom: {type(error).__name__}: {redact(str(error))}")
        return False

    def _pull(self, now_ms: int) -> bool:
        with ExitStack() as stack:
            delivery = stack.enter_context(closing(self._way.connect(self._console)))
            fetcher = stack.enter_context(
                Fetcher(
                    self._spec.source,
                    self._headers,
                    patience=self._way.patience,
                    clock=SystemClock(),
                    chance=Random(),  # noqa: S311 # it spreads repeats
                    wait=time.sleep,
                )
            )
            pull = Pull(self._spec, fetcher, now_ms)
            refusals = Refusals(self._console.print, None, "bot")
            run = Run(delivery, self._way.at_once, lambda outcome: refusals.note(outcome.refusals))
            try:
                run.send(cut(pull.rows(), self._way.endpoint))
            finally:
                tally = run.tally
                sys.stdout.write(
                    f"{iso_ms(now_ms)} {counted(tally.accepted, 'bot', 'bots')} fed, {tally.refusals:,} left out.\n"
                )
                sys.stdout.flush()
        if pull.problem is not None:
            self._console.print(
                f"{iso_ms(now_ms)} tallyroom: {pull.problem.message} The pull broke off; its complete pages are fed."
            )
        return pull.problem is None
