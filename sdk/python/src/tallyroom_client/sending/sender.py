"""Sends one cut after the other, and does with each what its answer asks for."""

import math
from collections.abc import Callable
from typing import Final

from tallyroom_client.clock import Clock
from tallyroom_client.cut import Cut, CutLimit, name_of
from tallyroom_client.limits import MAX_CUT_EVENTS
from tallyroom_client.problems import Problem, ProblemReporter
from tallyroom_client.queue import EventQueue
from tallyroom_client.sending.answers import Action, Reply, choose_action, describe, wrong_indices
from tallyroom_client.sending.backoff import Backoff
from tallyroom_client.sending.clock_check import ClockCheck
from tallyroom_client.sending.connection import Connection, NoAnswer
from tallyroom_client.stats import Counters

_ADOPTION_INTERVAL: Final = 60.0
_KEY_INTERVAL: Final = 60.0
_PLAN_INTERVAL: Final = 3600.0
_OUTAGE: Final = 60.0  # seconds without an answer until the program hears of it
_REMEDIES: Final = {
    Action.WAIT_FOR_KEY: "the server refuses the API key; events wait until it is valid again",
    Action.WAIT_FOR_PLAN: "the workspace has used up its plan; events wait until it allows more",
}


class Sender:
    """Has one request in flight, which keeps the order. The caller makes sure that `step` runs once at a time.

    Args:
        queue: what is sent.
        connection: the way to the server.
        random: returns a number from 0 to 1.
    """

    def __init__(
        self,
        queue: EventQueue,
        connection: Connection,
        *,
        clock: Clock,
        random: Callable[[], float],
        problems: ProblemReporter,
        counters: Counters,
    ) -> None:
        self._queue = queue
        self._connection = connection
        self._clock = clock
        self._problems = problems
        self._counters = counters
        self._backoff = Backoff(random)
        self._clock_check = ClockCheck(connection, clock, problems)
        self._max_events = MAX_CUT_EVENTS
        self._resume_at = -math.inf
        self._adopt_at = -math.inf
        self._failing_since: float | None = None
        self._first_arrival: tuple[str, int] | None = None  # key and time of a try that may have reached the server

    def step(self) -> float:
        """Send at most one cut; return the seconds until the next step is worthwhile."""
        now = self._clock.monotonic()
        self._problems.report_due()
        if now >= self._adopt_at:
            self._adopt_at = now + _ADOPTION_INTERVAL
            self._queue.adopt()
        delay = max(self._resume_at - now, self._queue.seconds_until_due())
        if delay > 0:
            return min(delay, self._adopt_at - now)
        try:
            cut = self._queue.next_cut(CutLimit(self._max_events))
        except OSError as error:
            self._wait_for_disk(error)
        else:
            if cut is not None:
                self._send(cut)
        return max(0, self._resume_at - self._clock.monotonic())

    def close(self) -> None:
        """Close the connection and the queue."""
        self._connection.close()
        self._queue.close()

    def _send(self, cut: Cut) -> None:
        try:
            reply = self._connection.post_cut(cut)
        except NoAnswer as error:
            self._counters.last_error = str(error)
            self._retry(cut, may_have_arrived=error.may_have_arrived)
            return
        action = choose_action(reply, len(cut.events))
        self._counters.last_error = None if action is Action.ACKNOWLEDGE else f"{reply.status}: {describe(reply)}"
        if action is Action.RETRY:
            self._retry(cut, reply, may_have_arrived=reply.may_have_stored)
            return
        self._failing_since = None
        if action is Action.ACKNOWLEDGE:
            self._acknowledge(cut, reply)
        elif action in _REMEDIES:
            self._pause(cut, reply, action)
        elif action is Action.HALVE:
            self._max_events = len(cut.events) // 2
            self._queue.refuse(cut, (), reply.status, describe(reply))
        else:
            is_some = action is Action.TAKE_OUT
            self._refuse(cut, reply, wrong_indices(reply, len(cut.events)) if is_some else range(len(cut.events)))

    def _acknowledge(self, cut: Cut, reply: Reply) -> None:
        self._report_uncertain(cut, reply)
        self._queue.acknowledge(cut, reply.status)
        self._counters.accepted += len(cut.events)
        self._max_events = min(MAX_CUT_EVENTS, 2 * self._max_events)
        self._first_arrival = None
        self._backoff.reset()
        self._clock_check.run_once()

    def _refuse(self, cut: Cut, reply: Reply, indices: "range | tuple[int, ...]") -> None:
        self._queue.refuse(cut, tuple(indices), reply.status, describe(reply))
        self._counters.refused += len(indices)
        self._backoff.reset()
        message = f"the server refused events: {describe(reply)}"
        sample = name_of(cut.events[indices[0]])
        self._problems.report(Problem("refused", message, len(indices), reply.status, sample))

    def _pause(self, cut: Cut, reply: Reply, action: Action) -> None:
        interval = (
            _KEY_INTERVAL if action is Action.WAIT_FOR_KEY else min(reply.retry_after or _PLAN_INTERVAL, _PLAN_INTERVAL)
        )
        self._resume_at = self._clock.monotonic() + interval
        message = f"{_REMEDIES[action]} ({describe(reply)})"
        self._problems.report(Problem("paused", message, len(cut.events), reply.status))

    def _retry(self, cut: Cut, reply: Reply | None = None, *, may_have_arrived: bool) -> None:
        """Keep the cut for another try under the same key, however long that takes."""
        if may_have_arrived and (self._first_arrival is None or self._first_arrival[0] != cut.key):
            self._first_arrival = (cut.key, self._clock.now_ms())
        now = self._clock.monotonic()
        self._resume_at = now + self._backoff.next_delay(reply.retry_after if reply else None)
        if self._failing_since is None:
            self._failing_since = now
        elif now - self._failing_since >= _OUTAGE:
            message = f"the server does not accept events at the moment; they wait ({self._counters.last_error})"
            self._problems.report(Problem("paused", message, len(cut.events), reply.status if reply else None))

    def _report_uncertain(self, cut: Cut, reply: Reply) -> None:
        """Tell of a cut that may have arrived before, so long ago that the server has forgotten its key."""
        first_ms = self._first_arrival[1] if self._first_arrival and self._first_arrival[0] == cut.key else None
        tries_ms = [moment for moment in (cut.earlier_try_ms, first_ms) if moment is not None]
        if reply.is_replay or not tries_ms or self._clock.now_ms() - min(tries_ms) <= reply.window * 1000:
            return
        self._counters.uncertain += len(cut.events)
        message = "events were sent again after the server had forgotten whether it has them; they may count twice"
        self._problems.report(Problem("uncertain", message, len(cut.events), reply.status, name_of(cut.events[0])))

    def _wait_for_disk(self, error: OSError) -> None:
        self._counters.last_error = str(error)
        self._resume_at = self._clock.monotonic() + self._backoff.next_delay()
        message = f"the queue cannot be written to ({error.strerror or error}), so what it holds waits"
        self._problems.report(Problem("queue_unusable", message, self._queue.waiting_events))
