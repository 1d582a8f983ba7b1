"""Problems that a program should know of: at most one a minute of each kind, reported outside of its own threads."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

from tallyroom_client.lifecycle import opening_lock

Kind = Literal["dropped", "refused", "paused", "uncertain", "clock", "queue_unusable"]

_INTERVAL = 60.0  # seconds between two problems of one kind
_MAX_SAMPLE_LENGTH = 128


class Problem(NamedTuple):
    """One kind of trouble since it was last reported; it never contains values of properties.

    Attributes:
        kind: `dropped` (the queue is full), `refused` (events are wrong), `paused` (events wait for a remedy),
            `uncertain` (events may be counted twice), `clock` (this machine's clock is wrong), or `queue_unusable`
            (events are in memory only).
        message: what happened and what to do.
        count: how many events it is about.
        status: the status of the server's answer, if there was one.
        sample: the name of one of the events.
    """

    kind: Kind
    message: str
    count: int = 0  # type: ignore[assignment] # shadows the method of tuples, which nobody needs here
    status: int | None = None
    sample: str | None = None


OnProblem = Callable[[Problem], object]


class ProblemReporter:
    """Passes problems on; those within a minute of another are added to the next report of their kind.

    Args:
        on_problem: called with each report in a thread of its own; `log_problem` if None.
        monotonic: seconds that only move forward.
        run: runs a call in another thread.
    """

    def __init__(
        self,
        on_problem: OnProblem | None,
        monotonic: Callable[[], float],
        run: Callable[[Callable[[], object]], object] | None = None,
    ) -> None:
        self._on_problem = on_problem or log_problem
        self._monotonic = monotonic
        self._run = run or run_in_thread
        self.restart()

    def restart(self) -> None:
        """Begin again, in a process that was forked while another thread may have held the lock."""
        self._lock = threading.RLock()
        self._next_by_kind: dict[Kind, float] = {}
        self._pending_by_kind: dict[Kind, Problem] = {}

    def report(self, problem: Problem) -> None:
        """Report now, or with the next report of this kind. This never raises and never waits."""
        with self._lock:
            earlier = self._pending_by_kind.get(problem.kind)
            total = problem.count + (earlier.count if earlier else 0)
            self._pending_by_kind[problem.kind] = problem._replace(count=total, sample=_shorten(problem.sample))
        self.report_due()

    def report_due(self, *, is_last: bool = False) -> None:
        """Report what has waited for its minute to pass; with `is_last`, everything."""
        now = self._monotonic()
        with self._lock:
            kinds = [kind for kind in self._pending_by_kind if is_last or self._next_by_kind.get(kind, now) <= now]
            reports = [self._pending_by_kind.pop(kind) for kind in kinds]
            self._next_by_kind |= dict.fromkeys(kinds, now + _INTERVAL)
        for problem in reports:
            self._run(partial(self._on_problem, problem))


def log_problem(problem: Problem) -> None:
    """Log a warning, which is what happens unless `on_problem` is set."""
    with opening_lock():
        import logging  # noqa: PLC0415 # most programs never have a problem, and the import takes time
    logging.getLogger("tallyroom_client").warning("%s: %s (%d events)", problem.kind, problem.message, problem.count)


def run_in_thread(call: Callable[[], object]) -> None:
    """Run `call` in a short-lived thread, or here if the interpreter is ending."""
    try:
        threading.Thread(target=call, name="tallyroom-problem", daemon=True).start()
    except RuntimeError:
        call()


def _shorten(sample: str | None) -> str | None:
    return sample[:_MAX_SAMPLE_LENGTH] if sample else None
