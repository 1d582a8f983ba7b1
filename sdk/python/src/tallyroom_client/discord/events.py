"""All events of one bot, to which each library's adapter reports."""

from collections.abc import Callable

from tallyroom_client.bots.http import post_json
from tallyroom_client.bots.ticker import Ticker
from tallyroom_client.bots.tracker import Tracker, server_url
from tallyroom_client.discord.bot import Bot
from tallyroom_client.discord.commands import Commands
from tallyroom_client.discord.components import record_component
from tallyroom_client.discord.counts import Counts
from tallyroom_client.discord.failures import Failures
from tallyroom_client.discord.guilds import Guilds
from tallyroom_client.discord.options import Options
from tallyroom_client.discord.place import Actor, Place
from tallyroom_client.discord.recorder import Recorder
from tallyroom_client.discord.shards import Shards
from tallyroom_client.discord.statistics import Statistics, describe_bot
from tallyroom_client.version import __version__

_COUNTS_CHECK_SECONDS = 60

_ready_user_ids: set[int | None] = set()
"""The bots of this process that were ready: a bot that reconnects, or attaches again, does not start again."""


class BotEvents:
    """Knows nothing of libraries; its parts each send one group of events."""

    def __init__(
        self, bot: Bot, tracker: Tracker, options: Options, counts: Counts | None, clock: Callable[[], float]
    ) -> None:
        self._bot = bot
        self._options = options
        self._counts = counts
        self._recorder = Recorder(tracker, bot, labels=options.labels)
        self.commands = Commands(self._recorder, clock)
        self.failures = Failures(self._recorder, with_messages=options.error_messages)
        self.guilds = Guilds(self._recorder, bot)
        self.shards = Shards(self._recorder, clock)
        self._statistics = Statistics(
            self._recorder, bot, self.commands, self.failures, lambda: _count_waiting(tracker), clock
        )
        self._tickers = [Ticker(options.stats, self._statistics.record)] if options.stats else []
        if counts is not None:
            self._tickers.append(Ticker(_COUNTS_CHECK_SECONDS, counts.post_if_due))

    def ready(self) -> None:
        """Send `bot_ready`, once in a process; begin with `bot_stats` and with posting counts."""
        user_id = self._bot.user_id()
        if user_id not in _ready_user_ids:
            _ready_user_ids.add(user_id)
            self._record_ready()
        for ticker in self._tickers:
            ticker.start()
        if self._counts is not None:
            self._counts.post_if_due()

    def use_component(self, custom_id: str, kind: str, actor: Actor, place: Place) -> None:
        """Send `component_used`: `kind` is button, select or modal."""
        record_component(self._recorder, self._options.component, custom_id, kind, actor, place)

    def send_message(self, channel_id: int, actor: Actor, place: Place) -> None:
        """Send `message_sent` about a person's message, of which nothing but its place is known."""
        self._recorder.record("message_sent", {"channel_id": str(channel_id)}, place=place, actor=actor)

    def stop(self) -> None:
        """End `bot_stats` and the posting of counts."""
        for ticker in self._tickers:
            ticker.stop()
        if self._counts is not None:
            self._counts.stop()

    def _record_ready(self) -> None:
        numbers = describe_bot(self._bot)
        properties = {
            "guilds": numbers["guilds"],
            "shards": numbers["shards"],
            "library": self._bot.library,
            "library_version": self._bot.library_version,
            "version": __version__,
        }
        self._recorder.record_of_process("bot_ready", properties)


def build_events(bot: Bot, tracker: Tracker, options: Options, clock: Callable[[], float]) -> BotEvents:
    """Return the events of a bot that are sent to a tracker; `clock` is in seconds."""
    counts = None
    if options.counts_token is not None:
        counts = Counts(bot, server_url(tracker), options.counts_token, post_json, clock)
    return BotEvents(bot, tracker, options, counts, clock)


def _count_waiting(tracker: Tracker) -> int | None:
    """Return how many events wait in the client's queue, None for a tracker without one."""
    read_statistics = getattr(tracker, "stats", None)
    return None if read_statistics is None else getattr(read_statistics(), "waiting", None)
