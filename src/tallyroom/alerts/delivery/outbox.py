"""Messages in the metadata that wait for delivery, and the task that delivers them (rules/alerts#delivery)."""

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
from tallyroom.alerts.delivery.repository import MAX_AGE_MS, STATUS_FAILED, STATUS_SENT, STATUS_WAITING, DueDelivery
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import SecretUnreadable
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.mail.outbox import LEASE_MS, RETRY_PAUSES_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Delivery

MAX_DELIVERIES: Final = 100
"""The most deliveries kept for a channel."""

MAX_WAITING: Final = 300
"""The most deliveries that wait for a channel; otherwise flapping alerts would fill the queue of a dead receiver."""

TOO_MANY_ERROR: Final = "too many other messages wait for the channel"
"""The error of deliveries above `MAX_WAITING`."""

SWITCHED_OFF_ERROR: Final = "the channel was switched off"
"""The error of deliveries that are given up because of it."""

# Mail, and all else: a dead mail server delays no webhook.
_MAX_TASKS_BY_IS_MAIL: Final[Mapping[bool, int]] = {True: 2, False: 6}
_POLL_SECONDS: Final = 1.0
_ATTEMPT_SECONDS: Final = 45.0  # shorter than a lease
_JITTER: Final = 0.1

_log = logging.getLogger(__name__)


class MessageQueue:
    """Writes messages into the outbox, due now by `clock`."""

    def __init__(self, clock: Clock, id_generator: IdGenerator) -> None:
        self._clock = clock
        self._id_generator = id_generator

    async def enqueue(self, db: Session, channel_ids: Sequence[str], message: AlertMessage) -> None:
        """Write a message to some channels, in the same transaction as the change that it reports."""
        await enqueue(db, channel_ids, message, self._clock.now_ms(), self._id_generator)


async def enqueue(
    db: Session, channel_ids: Sequence[str], message: AlertMessage, now_ms: int, id_generator: IdGenerator
) -> None:
    """Write a message to the enabled ones of some channels, in the same transaction as the change that it reports."""
    enabled_channel_ids = await repository.list_enabled_channel_ids(db, channel_ids)
    waiting_count_by_channel_id = await repository.count_waiting_by_channel(db, enabled_channel_ids)
    full_channel_ids = {
        channel_id for channel_id, waiting_count in waiting_count_by_channel_id.items() if waiting_count >= MAX_WAITING
    }
    message_json = msgspec.json.encode(message).decode()
    deliveries = [
        Delivery(
            id=id_generator.new(),
            channel_id=channel_id,
            message=message_json,
            status=STATUS_FAILED if channel_id in full_channel_ids else STATUS_WAITING,
            attempts=0,
            error=TOO_MANY_ERROR if channel_id in full_channel_ids else None,
            created_at_ms=now_ms,
            next_attempt_ms=None if channel_id in full_channel_ids else now_ms,
            leased_until_ms=None,
            last_attempt_ms=None,
            alert_id=message.alert_id,
        )
        for channel_id in dict.fromkeys(channel_ids)
        if channel_id in enabled_channel_ids
    ]
    await repository.add_deliveries(db, deliveries)
    for channel_id in full_channel_ids:
        await repository.prune_deliveries(db, channel_id, MAX_DELIVERIES)


class DeliveryWorker:
    """Delivers what is due, one message at a time to each channel, next to any number of other workers.

    `id_generator` provides the jitter that spreads attempts.
    """

    def __init__(
        self,
        database: Database,
        destinations: Destinations,
        messenger: Messenger,
        clock: Clock,
        id_generator: IdGenerator,
    ) -> None:
        self._database = database
        self._destinations = destinations
        self._messenger = messenger
        self._clock = clock
        self._id_generator = id_generator
        self._tasks_by_is_mail: dict[bool, dict[str, asyncio.Task[None]]] = {True: {}, False: {}}
        self._running_delivery_by_id: dict[str, DueDelivery] = {}
        self._wake_up = asyncio.Event()
        self.sent_count = 0
        self.given_up_count = 0

    async def run(self) -> None:
        """Deliver until cancelled; the next worker repeats the deliveries that are then in progress."""
        try:
            while True:
                self._wake_up.clear()
                try:
                    await self.start_due()
                except Unavailable as error:
                    _log.warning("the deliveries could not be read", extra={"reason": error.message})
                except Exception:  # noqa: BLE001 # one failure must not end all deliveries
                    _log.exception("the delivery worker failed")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wake_up.wait(), _POLL_SECONDS)
        finally:
            await self._stop()

    async def start_due(self) -> None:
        """Lease the due deliveries and start them."""
        if not await repository.is_any_delivery_due(self._database, self._clock.now_ms(), LEASE_MS):
            return
        for is_mail, tasks_by_id in self._tasks_by_is_mail.items():
            free_slot_count = _MAX_TASKS_BY_IS_MAIL[is_mail] - len(tasks_by_id)
            if free_slot_count <= 0:
                continue
            async with self._database.session(write=True) as db:
                running_count_by_workspace_id = Counter(
                    self._running_delivery_by_id[delivery_id].workspace_id for delivery_id in tasks_by_id
                )
                due_deliveries = await repository.claim_deliveries(
                    db,
                    self._clock.now_ms(),
                    LEASE_MS,
                    free_slot_count,
                    is_mail=is_mail,
                    running_count_by_workspace_id=running_count_by_workspace_id,
                )
            for delivery in due_deliveries:
                self._start_attempt(delivery, tasks_by_id)

    async def wait_until_idle(self) -> None:
        """Wait until no delivery is in progress."""
        tasks = [task for tasks_by_id in self._tasks_by_is_mail.values() for task in tasks_by_id.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start_attempt(self, delivery: DueDelivery, tasks_by_id: dict[str, asyncio.Task[None]]) -> None:
        task = asyncio.create_task(self._run_attempt(delivery))
        tasks_by_id[delivery.id] = task
        self._running_delivery_by_id[delivery.id] = delivery

        def on_done(_: asyncio.Task[None]) -> None:
            tasks_by_id.pop(delivery.id)
            self._running_delivery_by_id.pop(delivery.id)
            self._wake_up.set()

        task.add_done_callback(on_done)

    async def _run_attempt(self, delivery: DueDelivery) -> None:
        try:
            await self._attempt_delivery(delivery)
        except Unavailable as error:  # the delivery is repeated when the lease has ended
            _log.warning("how a delivery ended is not kept", extra={"delivery": delivery.id, "reason": error.message})
        except Exception:  # noqa: BLE001 # as above; nobody waits for this task
            _log.exception("a delivery broke off", extra={"delivery": delivery.id})

    async def _attempt_delivery(self, delivery: DueDelivery) -> None:
        try:
            async with asyncio.timeout(_ATTEMPT_SECONDS):
                await self._deliver(delivery)
        except DeliveryRejected as error:
            await self._give_up(delivery, str(error))
        except DeliveryDeferred as error:
            await self._postpone(delivery, str(error), error.retry_after_s)
        except SecretUnreadable:
            await self._postpone(delivery, "the destination cannot be decrypted with the key of this server", None)
        except TimeoutError:
            await self._postpone(delivery, f"no answer within {_ATTEMPT_SECONDS:.0f} seconds", None)
        else:
            await self._record_attempt(delivery, STATUS_SENT, None, None)
            self.sent_count += 1

    async def _deliver(self, delivery: DueDelivery) -> None:
        destination = self._destinations.decrypt(delivery.type, delivery.destination, delivery.secret)
        await self._messenger.deliver(
            destination, msgspec.json.decode(delivery.message, type=AlertMessage), delivery.id
        )

    async def _postpone(self, delivery: DueDelivery, reason: str, retry_after_s: int | None) -> None:
        """Schedule the next attempt, or give up if that would be too late."""
        pause_ms = RETRY_PAUSES_MS[min(delivery.attempt_count, len(RETRY_PAUSES_MS) - 1)]
        wait_ms = max(round(pause_ms * self._jitter_factor()), (retry_after_s or 0) * 1000)
        next_attempt_ms = self._clock.now_ms() + wait_ms
        if next_attempt_ms > delivery.created_at_ms + MAX_AGE_MS:
            await self._give_up(delivery, reason)
        else:
            await self._record_attempt(delivery, STATUS_WAITING, reason, next_attempt_ms)

    async def _give_up(self, delivery: DueDelivery, reason: str) -> None:
        await self._record_attempt(delivery, STATUS_FAILED, reason, None)
        self.given_up_count += 1
        log_fields = {"delivery": delivery.id, "channel": delivery.channel_id, "type": delivery.type, "reason": reason}
        _log.warning("a message of an alert was not delivered", extra=log_fields)

    async def _record_attempt(
        self, delivery: DueDelivery, status: str, error: str | None, next_attempt_ms: int | None
    ) -> None:
        async with self._database.session(write=True) as db:
            if next_attempt_ms is not None and not await repository.list_enabled_channel_ids(db, [delivery.channel_id]):
                status, error, next_attempt_ms = STATUS_FAILED, SWITCHED_OFF_ERROR, None  # meanwhile
            await repository.record_attempt(db, delivery, status, error, self._clock.now_ms(), next_attempt_ms)
            if next_attempt_ms is None:
                await repository.prune_deliveries(db, delivery.channel_id, MAX_DELIVERIES)

    def _jitter_factor(self) -> float:
        random_fraction = int.from_bytes(self._id_generator.random_bytes(2), "big") / 0xFFFF
        return 1 + _JITTER * (2 * random_fraction - 1)

    async def _stop(self) -> None:
        deliveries = list(self._running_delivery_by_id.values())
        for tasks_by_id in self._tasks_by_is_mail.values():
            for task in tasks_by_id.values():
                task.cancel()
        await self.wait_until_idle()
        if deliveries:
            with suppress(Unavailable):  # the leases end by themselves
                async with self._database.session(write=True) as db:
                    await repository.release_leases(db, deliveries)
