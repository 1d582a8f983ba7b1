"""A client of the events stream: what it hears, read by a thread of its own."""

import json
import queue
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import httpx

from harness.clients.workspace import Workspace
from harness.stores.metadata import is_in_a_file
from harness.suite.patience import PATIENCE, wait_until

_END = object()


class Ear:
    """One open stream.

    Attributes:
        last_id: the id that was heard last.
    """

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.last_id = ""
        self._heard: queue.Queue[Any] = queue.Queue()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End, before the socket is closed: another connection could get its number, and this thread read from that."""
        with suppress(OSError):
            self.answer.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)

    def names(self, count: int) -> list[str]:
        """The names of the next `count` events."""
        return [event["name"] for event in self.events(count)]

    def events(self, count: int) -> list[Any]:
        """The next `count` events, each with the id under which it was sent."""
        return [self._next() for _ in range(count)]

    def ends(self) -> list[Any]:
        """The events that are left when the server has ended the stream."""
        return list(iter(self._next, _END))

    def _next(self) -> Any:
        return self._heard.get(timeout=PATIENCE)

    def _listen(self) -> None:
        try:
            for line in self.answer.iter_lines():
                if line.startswith("id: "):
                    self.last_id = line[4:]
                elif line.startswith("data: "):
                    event = json.loads(line[6:])
                    assert (
                        event["id"] == self.last_id or not is_in_a_file()
                    )  # several workers have positions of their own
                    self._heard.put(event)
        except (httpx.HTTPError, httpx.StreamError):
            pass
        self._heard.put(_END)


@contextmanager
def listening(
    workspace: Workspace, *, last_id: str | None = None, token: str | None = None, **params: str
) -> Iterator[Ear]:
    """A stream from when the block begins until it ends."""
    headers = {} if last_id is None else {"last-event-id": last_id}
    with (
        workspace.client(token) as client,
        client.stream("GET", "/v1/events/stream", params=params, headers=headers, timeout=PATIENCE) as answer,
    ):
        assert answer.status_code == 200, answer.read()
        with closing(Ear(answer)) as ear:
            yield ear


class Follower:
    """A client that opens its stream again whenever it ends, after the last event that it has heard.

    Attributes:
        heard: how often each actor was heard.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.heard: Counter[str] = Counter()
        self.times = 0
        self._workspace = workspace
        self._last_id = ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def start(self) -> "Follower":
        """Return when it knows where it begins."""
        self._thread.start()
        wait_until(lambda: self._last_id)
        return self

    def finish(self) -> None:
        """Listen no more."""
        self._stop.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def _follow(self) -> None:
        while not self._stop.is_set():
            headers = {"last-event-id": self._last_id} if self._last_id else {}
            with (
                suppress(httpx.TransportError),
                self._workspace.client() as client,
                client.stream("GET", "/v1/events/stream", headers=headers, timeout=PATIENCE) as answer,
            ):
                if answer.status_code == 200:
                    self.times += 1
                    self._read(answer)
            time.sleep(0.05)

    def _read(self, answer: httpx.Response) -> None:
        """What is cut short in the middle was not heard."""
        given = {}
        for line in answer.iter_lines():
            if self._stop.is_set():
                return
            if line:
                field, _, given[field] = line.partition(": ")
                continue
            if "data" in given:
                self.heard[json.loads(given["data"])["actorKey"]] += 1
            self._last_id = given.get("id", self._last_id)
            given = {}
