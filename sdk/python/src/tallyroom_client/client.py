"""The client: what a program calls."""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from tallyroom_client import lifecycle
from tallyroom_client.chance import Chance
from tallyroom_client.clock import Clock, SystemClock
from tallyroom_client.context import ClientContext
from tallyroom_client.event import Fields, Texts, build_event
from tallyroom_client.problems import OnProblem, Problem, ProblemReporter
from tallyroom_client.recorder import as_arguments, recordings
from tallyroom_client.refusal import EventRefused
from tallyroom_client.settings import Durability, read_settings
from tallyroom_client.stats import Counters, Stats

if TYPE_CHECKING:  # the pipeline is loaded with the first event
    from tallyroom_client.pipeline import Pipeline


class Tallyroom:
    """Sends events to a Tallyroom server, from any thread, task or forked process.

    Args:
        key: an API key; `TALLYROOM_KEY` by default.
        url: the server's address; `TALLYROOM_URL` by default.
        queue: the folder in which events wait, or False to keep them in memory; `TALLYROOM_QUEUE`, or a folder of the
            user for this server and key by default.
        source: the source of every event that does not give its own.
        on_problem: called with each `Problem`, in a thread of its own; by default, problems are logged.
        strict: whether `track` raises `EventRefused` for a wrong event; by default, only in a test of pytest.
        enabled: with False, or with `TALLYROOM_ENABLED=false`, every call succeeds and does nothing.
        durable: with "disk", an event survives a power cut, too, which costs about 0.2 ms for each.
        clock: the time.
        chance: the randomness.

    Raises:
        ValueError: the key or the URL is missing or cannot be right.
    """

    def __init__(
        self,
        key: str | None = None,
        url: str | None = None,
        *,
        queue: "str | os.PathLike[str] | Literal[False] | None" = None,
        source: str | None = None,
        on_problem: OnProblem | None = None,
        strict: bool | None = None,
        enabled: bool = True,
        durable: Durability = "process",
        clock: Clock | None = None,
        chance: Chance | None = None,
    ) -> None:
        self._settings = read_settings(key, url, queue, enabled=enabled, durable=durable)
        self._source = source
        self._is_strict = strict
        self._clock = clock or SystemClock()
        self._chance = chance or Chance()
        self._counters = Counters()
        self._problems = ProblemReporter(on_problem, self._clock.monotonic)
        self._context = ClientContext()
        self._pipeline: Pipeline | None = None

    @property
    def url(self) -> str:
        """The server's address."""
        return self._settings.url

    def track(
        self,
        name: str,
        *,
        actor: Any = None,
        label: str | None = None,
        properties: Mapping[str, Any] | None = None,
        at: datetime | None = None,
        source: str | None = None,
    ) -> bool:
        """Queue an event: True means that it is counted exactly once, even if this process is killed now.

        This never waits for the server. It returns False for a wrong event and if the queue is full; both are reported
        as problems. Only if the client is strict, a wrong event raises `EventRefused`.

        Args:
            name: what happened, as in ``order.placed``.
            actor: who did it.
            label: how to show the actor.
            properties: anything that JSON has, and `datetime`, `Decimal`, `UUID` and `Enum`.
            at: when it happened, by default now; without a time zone, in UTC.
            source: which program or service this is.
        """
        if not self._settings.is_enabled and not recordings:
            return True
        try:
            fields = self._build(name, Texts(actor, label, source), properties, at)
            if recordings:
                recordings[-1].append(as_arguments(fields))
            elif not self._open().queue.append(fields):
                return False
        except EventRefused as refusal:
            self._refuse(refusal, name)
            return False
        self._counters.tracked += 1
        return True

    def context(
        self,
        *,
        actor: Any = None,
        label: str | None = None,
        properties: Mapping[str, Any] | None = None,
        source: str | None = None,
    ) -> AbstractContextManager[None]:
        """Add fields to every event that this task or thread tracks within a `with` block."""
        return self._context.extended(Texts(actor, label, source), properties)

    def flush(self, timeout: float = 5.0) -> bool:
        """Wait until the server has answered to everything that was tracked before; False after `timeout` seconds."""
        return self._pipeline is None or not self._pipeline.is_open or self._pipeline.flush(timeout)

    async def aflush(self, timeout: float = 5.0) -> bool:
        """Flush without holding up the event loop."""
        return await _in_thread(lambda: self.flush(timeout))

    def close(self, timeout: float = 2.0) -> bool:
        """Flush and stop; what is left stays on disk for the next start. A later `track` starts again."""
        return self._pipeline is None or not self._pipeline.is_open or self._pipeline.close(timeout)

    async def aclose(self, timeout: float = 2.0) -> bool:
        """Close without holding up the event loop."""
        return await _in_thread(lambda: self.close(timeout))

    def send_now(self, events: Iterable[Mapping[str, Any]], timeout: float = 15.0) -> bool:
        """Send up to 500 events in one request, without the queue, and wait for the answer.

        Each event is a mapping with the arguments of `track`. If one is wrong, none is sent. A request without an
        answer is repeated under the same key until `timeout` seconds have passed, so it never counts twice.
        """
        if not self._settings.is_enabled and not recordings:
            return True
        try:
            batch = [self._build_from(event) for event in events]
            if recordings:
                recordings[-1].extend(map(as_arguments, batch))
                return True
            from tallyroom_client.sending.direct import DirectRequest  # noqa: PLC0415 # loads what most do not need

            request = DirectRequest(self._settings, batch, self._clock, self._chance)
        except EventRefused as refusal:
            self._refuse(refusal, None)
            return False
        return request.send(timeout, self._problems, self._counters)

    async def asend_now(self, events: Iterable[Mapping[str, Any]], timeout: float = 15.0) -> bool:
        """Send events now without holding up the event loop."""
        return await _in_thread(lambda: self.send_now(events, timeout))

    def stats(self) -> Stats:
        """Return how many events were tracked, accepted, and so on."""
        pipeline = self._pipeline
        return pipeline.stats() if pipeline is not None and pipeline.is_open else self._counters.stats()

    def _build(self, name: str, texts: Texts, properties: Any, at: datetime | None) -> Fields:
        shared = self._context.current()
        texts = shared.with_texts(texts)
        if texts.source is None:
            texts = texts._replace(source=self._source)
        return build_event(name, texts, shared.with_properties(properties), at, self._clock.now_ms())

    def _build_from(self, event: Mapping[str, Any]) -> Fields:
        unknown = event.keys() - {"name", "actor", "label", "properties", "at", "source"}
        if unknown:
            raise EventRefused(f"{min(map(str, unknown))} is no field of an event")
        texts = Texts(event.get("actor"), event.get("label"), event.get("source"))
        return self._build(event.get("name", ""), texts, event.get("properties"), event.get("at"))

    def _open(self) -> "Pipeline":
        pipeline = self._pipeline
        if pipeline is not None and pipeline.is_open:
            return pipeline
        with lifecycle.opening_lock():
            if self._pipeline is None or not self._pipeline.is_open:
                from tallyroom_client.pipeline import Pipeline  # noqa: PLC0415 # keeps the import of the client fast

                pipeline = Pipeline(self._settings, self._counters, self._problems, self._clock, self._chance)
                if self._pipeline is not None and self._pipeline.is_open:  # a signal handler was faster
                    pipeline.close(0)
                else:
                    self._pipeline = pipeline
            return self._pipeline

    def _refuse(self, refusal: EventRefused, name: Any) -> None:
        is_strict = "PYTEST_CURRENT_TEST" in os.environ if self._is_strict is None else self._is_strict
        if is_strict:
            raise refusal
        self._counters.refused += 1
        sample = name if isinstance(name, str) else None
        self._problems.report(Problem("refused", f"an event is wrong: {refusal}", 1, sample=sample))


async def _in_thread(call: Callable[[], bool]) -> bool:
    import asyncio  # noqa: PLC0415 # whoever awaits has imported it

    return await asyncio.to_thread(call)
