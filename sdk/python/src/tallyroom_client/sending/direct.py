"""One request with events that do not pass through a queue."""

import time
from collections.abc import Sequence

from tallyroom_client.chance import Chance
from tallyroom_client.clock import Clock
from tallyroom_client.cut import Cut, name_of
from tallyroom_client.event import Fields, encode_event
from tallyroom_client.limits import MAX_CUT_BYTES, MAX_CUT_EVENTS
from tallyroom_client.problems import Problem, ProblemReporter
from tallyroom_client.refusal import EventRefused
from tallyroom_client.sending.answers import Action, choose_action, describe
from tallyroom_client.sending.backoff import Backoff
from tallyroom_client.sending.connection import Connection, NoAnswer
from tallyroom_client.settings import Settings
from tallyroom_client.stats import Counters
from tallyroom_client.timestamps import Timestamps


class DirectRequest:
    """One cut with a key and a queue id of its own; raises `EventRefused` if it cannot be one request."""

    def __init__(self, settings: Settings, batch: Sequence[Fields], clock: Clock, chance: Chance) -> None:
        timestamps = Timestamps(clock.now_ms)
        events = [encode_event({"_timestamp": timestamps.next(), **fields}) for fields in batch]
        if not events:
            raise EventRefused("there are no events to send")
        if len(events) > MAX_CUT_EVENTS or sum(map(len, events)) > MAX_CUT_BYTES:
            raise EventRefused(f"one request has at most {MAX_CUT_EVENTS} events and {MAX_CUT_BYTES} bytes")
        self._cut = Cut(chance.key(), chance.key(), events)
        self._connection = Connection(settings.url, settings.key)
        self._clock = clock
        self._backoff = Backoff(chance.fraction)

    def send(self, timeout: float, problems: ProblemReporter, counters: Counters) -> bool:
        """Return whether the server has the events; repeats the same request until `timeout` seconds have passed."""
        deadline = self._clock.monotonic() + timeout
        event_count = len(self._cut.events)
        status, retry_after = None, None
        try:
            while True:
                try:
                    reply = self._connection.post_cut(self._cut)
                except NoAnswer as error:
                    status, retry_after, counters.last_error = None, None, str(error)
                else:
                    action = choose_action(reply, event_count)
                    if action is Action.ACKNOWLEDGE:
                        counters.accepted += event_count
                        counters.last_error = None
                        return True
                    status, retry_after = reply.status, reply.retry_after
                    counters.last_error = f"{reply.status}: {describe(reply)}"
                    if action is not Action.RETRY:
                        break
                delay = self._backoff.next_delay(retry_after)
                if self._clock.monotonic() + delay >= deadline:
                    break
                time.sleep(delay)
        finally:
            self._connection.close()
        message = f"events were not accepted: {counters.last_error}"
        problems.report(Problem("refused", message, event_count, status, name_of(self._cut.events[0])))
        return False
