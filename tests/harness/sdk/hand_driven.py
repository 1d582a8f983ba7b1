"""A client's queue and sender without a thread: a test takes each step by hand, and only it moves the time."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tallyroom_client.chance import Chance
from tallyroom_client.event import Texts, build_event
from tallyroom_client.journal.folder import QueueFolder
from tallyroom_client.problems import Problem, ProblemReporter
from tallyroom_client.queue import EventQueue
from tallyroom_client.sending.connection import Connection
from tallyroom_client.sending.sender import Sender
from tallyroom_client.stats import Counters


class StillClock:
    """2026-11-20T12:00:00Z, and only `advance` and `set` move it."""

    def __init__(self) -> None:
        self._now_ms = 1_795_176_000_000
        self._monotonic = 1000.0

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now_ms += round(seconds * 1000)
        self._monotonic += seconds

    def jump(self, seconds: float) -> None:
        """Set the wall clock; no time passes."""
        self._now_ms += round(seconds * 1000)


_numbers = count(1)


def numbered_chance() -> Chance:
    """Keys that differ and can be told apart, and waits of half the bound."""
    return Chance(lambda length: next(_numbers).to_bytes(length, "big") if length > 4 else bytes([0x80, 0, 0, 0]))


class HandDriven:
    """A queue in `folder`, or in memory, and its sender.

    Args:
        url: of the server.
        folder: of the queue; None for memory.
    """

    def __init__(self, url: str, folder: Path | None, clock: StillClock | None = None, key: str = "k") -> None:
        self.clock = clock or StillClock()
        self.problems: list[Problem] = []
        self.counters = Counters()
        reporter = ProblemReporter(self.problems.append, self.clock.monotonic, run=lambda call: call())
        chance = numbered_chance()

        def open_folder() -> QueueFolder:
            assert folder is not None
            return QueueFolder(folder, make_key=chance.key, now_ms=self.clock.now_ms)

        self.queue = EventQueue(
            open_folder if folder else None,
            clock=self.clock,
            make_key=chance.key,
            problems=reporter,
            counters=self.counters,
            wake=lambda: None,
        )
        self.sender = Sender(
            self.queue,
            Connection(url, key),
            clock=self.clock,
            random=chance.fraction,
            problems=reporter,
            counters=self.counters,
        )
        self.queue.is_hurried = True

    def track(self, *names: str, **properties: Any) -> list[bool]:
        now_ms = self.clock.now_ms()
        return [self.queue.append(build_event(name, Texts(), properties, None, now_ms)) for name in names]

    def step(self) -> float:
        """Take a step; return the seconds until the next."""
        return self.sender.step()

    def drain(self) -> None:
        """Take steps, and let the time pass that they ask for, until nothing waits."""
        while self.queue.waiting_events:
            self.clock.advance(min(self.step(), 3600))

    @property
    def kinds(self) -> list[str]:
        """The kinds of the problems, in order."""
        return [problem.kind for problem in self.problems]


@contextmanager
def hand_driven(url: str, folder: Path | None, clock: StillClock | None = None, key: str = "k") -> Iterator[HandDriven]:
    """The same, closed at the end."""
    client = HandDriven(url, folder, clock, key)
    yield client
    client.sender.close()
