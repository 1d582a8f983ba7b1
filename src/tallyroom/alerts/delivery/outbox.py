"""Messages that wait in the metadata for their channels, and the task that delivers them (rules/alerts#delivery)."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from tallyroom.alerts.channel_types.destination import Destinations
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.delivery import repository
from tallyroom.alerts.delivery.messenger import Messenger
from tallyroom.alerts.delivery.repository import LASTS_MS, STATUS_FAILED, STATUS_SENT, STATUS_WAITING, DueDelivery
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import Ids
from tallyroom.core.vault import SecretUnreadable
from tallyroom.mail.errors import NotNow, NotTaken
from tallyroom.mail.outbox import LEASE_MS, PAUSES_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Delivery

MAX_DELIVERIES: Final = 100
"""How many deliveries of a channel are kept."""

MAX_WAITING: Final = 300
"""How many deliveries may wait for a channel; to a receiver that is dead, alerts that flap would write without end."""

TOO_MANY: Final = "too many other messages wait for the channel"
"""The error of deliveries beyond that."""

SWITCHED_OFF: Final = "the channel was switched off"
"""The error of deliveries that are given up because of it."""

_AT_ONCE: Final[Mapping[bool, int]] = {True: 2, False: 6}  # mail, and all else: a dead mail server delays no webhook
_LOOK_SECONDS: Final = 1.0
_ATTEMPT_SECONDS: Final = 45.0  # less than a lease lasts
_JITTER: Final = 0.1

_log = logging.getLogger(__name__)


async def enqueue(db: Session, channel_ids: Sequence[str], message: AlertMessage, now_ms: int, ids: Ids) -> None:
    """Write a message to those of the channels that are switched on, within the transaction of what it tells."""
    enabled = await repository.list_enabled(db, channel_ids)
    waiting = await repository.count_waiting(db, enabled)
    full = {channel_id for channel_id, number in waiting.items() if number >= MAX_WAITING}
    message_json = msgspec.json.encode(message).decode()
    deliveries = [
        Delivery(
            id=ids.new(),
            channel_id=channel_id,
            message=message_json,
            status=STATUS_FAILED if channel_id in full else STATUS_WAITING,
            attempts=0,
            error=TOO_MANY if channel_id in full else None,
            created_at_ms=now_ms,
            next_attempt_ms=None if channel_id in full else now_ms,
            leased_until_ms=None,
            last_attempt_ms=None,
            alert_id=message.alert_id,
        )
        for channel_id in dict.fromkeys(channel_ids)
        if channel_id in enabled
    ]
    await repository.add_deliveries(db, deliveries)
    for channel_id in full:
        await repository.prune(db, channel_id, MAX_DELIVERIES)


class DeliveryWorker:
    """Delivers what is due, one message at a time to each channel, beside any number of other workers.

    Args:
        database: has the deliveries and their leases.
        destinations: decrypts where channels tell.
        messenger: makes one attempt.
        clock: says when a delivery is due.
        ids: the chance by which attempts do not all come at once.
    """

    def __init__(
        self, database: Database, destinations: Destinations, messenger: Messenger, clock: Clock, ids: Ids
    ) -> None:
        self._database = database
        self._destinations = destinations
        self._messenger = messenger
        self._clock = clock
        self._ids = ids
        self._running: dict[bool, dict[str, asyncio.Task[None]]] = {True: {}, False: {}}
        self._under_way: dict[str, DueDelivery] = {}
        self._moved = asyncio.Event()
        self.sent = 0
        self.failed = 0

    async def run(self) -> None:
        """Deliver until cancelled; what is under way then is delivered again by the next worker."""
        try:
            while True:
                self._moved.clear()
                try:
                    await self.step()
                except Unavailable as error:
                    _log.warning("the deliveries could not be read", extra={"reason": error.message})
                except Exception:  # noqa: BLE001 # one failure must not end all deliveries
                    _log.exception("the delivery worker failed")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._moved.wait(), _LOOK_SECONDS)
        finally:
            await self._stop()

    async def step(self) -> None:
        """Lease deliveries that are due and begin to make them."""
        if not await repository.is_any_due(self._database, self._clock.now_ms(), LEASE_MS):
            return
        for mail, running in self._running.items():
            room = _AT_ONCE[mail] - len(running)
            if room <= 0:
                continue
            async with self._database.session(write=True) as db:
                under_way = Counter(self._under_way[delivery_id].workspace_id for delivery_id in running)
                due = await repository.claim(db, self._clock.now_ms(), LEASE_MS, room, mail=mail, under_way=under_way)
            for delivery in due:
                self._begin(delivery, running)

    async def settled(self) -> None:
        """Wait until no delivery is under way."""
        tasks = [task for running in self._running.values() for task in running.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, delivery: DueDelivery, running: dict[str, asyncio.Task[None]]) -> None:
        task = asyncio.create_task(self._carry_out(delivery))
        running[delivery.id] = task
        self._under_way[delivery.id] = delivery

        def end(_: asyncio.Task[None]) -> None:
            running.pop(delivery.id)
            self._under_way.pop(delivery.id)
            self._moved.set()

        task.add_done_callback(end)

    async def _carry_out(self, delivery: DueDelivery) -> None:
        try:
            await self._attempt(delivery)
        except Unavailable as error:  # when the lease has ended, the delivery is made again
            _log.warning("how a delivery ended is not kept", extra={"delivery": delivery.id, "reason": error.message})
        except Exception:  # noqa: BLE001 # as above; nobody waits for this task
            _log.exception("a delivery broke off", extra={"delivery": delivery.id})

    async def _attempt(self, delivery: DueDelivery) -> None:
        try:
            async with asyncio.timeout(_ATTEMPT_SECONDS):
                await self._tell(delivery)
        except NotTaken as error:
            await self._give_up(delivery, str(error))
        except NotNow as error:
            await self._postpone(delivery, str(error), error.retry_after)
        except SecretUnreadable:
            await self._postpone(delivery, "the destination cannot be decrypted with the key of this server", None)
        except TimeoutError:
            await self._postpone(delivery, f"no answer within {_ATTEMPT_SECONDS:.0f} seconds", None)
        else:
            await self._record(delivery, STATUS_SENT, None, None)
            self.sent += 1

    async def _tell(self, delivery: DueDelivery) -> None:
        to = self._destinations.open(delivery.type, delivery.destination, delivery.secret)
        await self._messenger.tell(to, msgspec.json.decode(delivery.message, type=AlertMessage), delivery.id)

    async def _postpone(self, delivery: DueDelivery, reason: str, retry_after: int | None) -> None:
        """Wait for the next attempt, or give up if that would be too late."""
        pause = PAUSES_MS[min(delivery.attempts, len(PAUSES_MS) - 1)]
        wait = max(round(pause * self._jittered()), (retry_after or 0) * 1000)
        again = self._clock.now_ms() + wait
        if again > delivery.created_at_ms + LASTS_MS:
            await self._give_up(delivery, reason)
        else:
            await self._record(delivery, STATUS_WAITING, reason, again)

    async def _give_up(self, delivery: DueDelivery, reason: str) -> None:
        await self._record(delivery, STATUS_FAILED, reason, None)
        self.failed += 1
        facts = {"delivery": delivery.id, "channel": delivery.channel_id, "type": delivery.type, "reason": reason}
        _log.warning("a message of an alert was not delivered", extra=facts)

    async def _record(self, delivery: DueDelivery, status: str, error: str | None, again: int | None) -> None:
        async with self._database.session(write=True) as db:
            if again is not None and not await repository.list_enabled(db, [delivery.channel_id]):
                status, error, again = STATUS_FAILED, SWITCHED_OFF, None  # meanwhile
            await repository.record_attempt(db, delivery, status, error, self._clock.now_ms(), again)
            if again is None:
                await repository.prune(db, delivery.channel_id, MAX_DELIVERIES)

    def _jittered(self) -> float:
        """Return a factor near 1."""
        share = int.from_bytes(self._ids.random_bytes(2), "big") / 0xFFFF
        return 1 + _JITTER * (2 * share - 1)

    async def _stop(self) -> None:
        under_way = list(self._under_way.values())
        for running in self._running.values():
            for task in running.values():
                task.cancel()
        await self.settled()
        if under_way:
            with suppress(Unavailable):  # the leases end by themselves
                async with self._database.session(write=True) as db:
                    await repository.release(db, under_way)
