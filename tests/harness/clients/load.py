"""Clients that keep sending, whatever happens to the server, and write down what they were told."""

import http.client
import json
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from harness.clients.ledger import Ledger
from harness.suite.patience import PATIENCE

BROKEN = 0  # the status of a request whose reply never came
_RETRY_SECONDS = 0.03
_DAYS_BACK = 200  # batches span seven months


@dataclass(frozen=True)
class LoadRequest:
    """One request: its events' actors, its body, and its idempotency key unless the client does not retry."""

    actors: list[str]
    body: bytes
    key: str | None


def label_of(actor: str) -> str:
    """The label that an actor has in every event."""
    return f"Label of {actor}"


class Load:
    """Threads that send singles and batches over several months.

    Requests with an Idempotency-Key are repeated until they are acknowledged; the others are sent once, and what became
    of them stays unknown when the reply is lost. Every second client has a queue of keys.

    Args:
        port: where the server listens, also after a restart.
        key: API key.
        ledger: what was sent and acknowledged.
        seed: decides bodies; printed by the test.
        threads: how many clients.
        pause: seconds between two requests of one client.
        padding: bytes of text in each event.
        largest: most events in a batch.
        labels: whether each event has a label, `label_of` its actor.
        keyed: the share of requests that carry an Idempotency-Key.
        hosts: where the servers are; a client that got no 202 goes on to the next.
        patience: how many seconds a client waits for a reply.
    """

    def __init__(
        self,
        port: int,
        key: str,
        ledger: Ledger,
        *,
        seed: int,
        threads: int = 3,
        pause: float = 0.004,
        padding: int = 0,
        largest: int = 60,
        labels: bool = False,
        keyed: float = 0.5,
        hosts: Sequence[str] = ("127.0.0.1",),
        patience: float = PATIENCE,
    ) -> None:
        self._port = port
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        self._ledger = ledger
        self._pause = pause
        self._padding = padding
        self._largest = largest
        self._labels = labels
        self._keyed = keyed
        self._hosts = tuple(hosts)
        self._patience = patience
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(number, random.Random(f"{seed}-{number}")), daemon=True)
            for number in range(threads)
        ]
        self._seed = seed
        self.statuses: Counter[int] = Counter()
        self.replayed = 0
        self.failures: list[str] = []

    def start(self) -> "Load":
        """Begin."""
        for thread in self._threads:
            thread.start()
        return self

    def begin_no_more(self) -> None:
        """Each client only brings its last request to an end."""
        self._stop.set()

    def finish(self, seconds: float = PATIENCE) -> None:
        """End; the server runs, so each client first gets its last answer."""
        self.begin_no_more()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0, deadline - time.monotonic()))
        assert not any(thread.is_alive() for thread in self._threads), "a client never got its answer"
        assert not self.failures, self.failures

    def wait_for(self, status: int, count: int = 1, seconds: float = PATIENCE) -> None:
        """Return when `status` was answered `count` more times."""
        goal, deadline = self.statuses[status] + count, time.monotonic() + seconds
        while self.statuses[status] < goal:
            assert time.monotonic() < deadline, f"no {status} in {seconds} s: {dict(self.statuses)} {self.failures}"
            time.sleep(0.01)

    def _run(self, thread: int, chance: random.Random) -> None:
        queue = f"{thread:022}" if thread % 2 else None
        client = Client(self._hosts[thread:] + self._hosts[:thread], self._port, self._headers, self._patience, queue)
        try:
            number = 0
            while not self._stop.is_set():
                order = self._order(f"{self._seed}-{thread}-{number}", chance)
                self._ledger.send(order.actors)
                self._deliver(client, order)
                number += 1
                time.sleep(self._pause)
        except Exception as error:  # noqa: BLE001 # the test reports it
            self.failures.append(repr(error))
        finally:
            client.close()

    def _deliver(self, client: "Client", order: LoadRequest) -> None:
        while True:
            status, replayed, request = client.post(order)
            self.statuses[status] += 1
            if status == 202:
                self._ledger.ack(order.actors, request)
                self.replayed += replayed
                return
            if status not in {BROKEN, 409, 503}:
                self.failures.append(f"status {status}")
                return
            client.move_on()
            time.sleep(_RETRY_SECONDS)
            if order.key is None:
                return

    def _order(self, name: str, chance: random.Random) -> LoadRequest:
        count = 1 if chance.random() < 0.5 else chance.randint(2, self._largest)
        now = datetime.now(UTC)
        events = [
            {
                "name": chance.choice(["view", "click", "order"]),
                "_actor": f"{name}-{index}",
                "_timestamp": (now - timedelta(days=chance.uniform(0, _DAYS_BACK))).isoformat(),
                "properties": {"n": index, "text": chance.randbytes(self._padding // 2).hex()},
            }
            for index in range(count)
        ]
        for event in events if self._labels else []:
            event["_actorLabel"] = label_of(str(event["_actor"]))
        body = json.dumps(events[0] if count == 1 else {"events": events}).encode()
        key = f"key-{name}" if chance.random() < self._keyed else None
        return LoadRequest([str(event["_actor"]) for event in events], body, key)


class Client:
    """One kept-alive connection that is opened again when it broke; its keys are in `queue`, if any."""

    def __init__(
        self, hosts: Sequence[str], port: int, headers: dict[str, str], patience: float, queue: str | None = None
    ) -> None:
        self._connections = deque(http.client.HTTPConnection(host, port, timeout=patience) for host in hosts)
        self._headers = headers
        self._queue = queue

    @property
    def _connection(self) -> http.client.HTTPConnection:
        return self._connections[0]

    def move_on(self) -> None:
        """Go on to the next host."""
        self._connections.rotate(-1)

    def post(self, order: LoadRequest) -> tuple[int, bool, str]:
        """(status or BROKEN, whether the answer was a replay, the server's id of the request)."""
        headers = self._headers | ({"idempotency-key": order.key} if order.key else {})
        if order.key and self._queue:
            headers["idempotency-queue"] = self._queue
        try:
            self._connection.request("POST", "/v1/events", order.body, headers)
            answer = self._connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return BROKEN, False, ""
        replayed = answer.headers.get("idempotent-replayed") == "true"
        return answer.status, replayed, answer.headers.get("x-request-id", "")

    def close(self) -> None:
        """Hang up."""
        for connection in self._connections:
            connection.close()
