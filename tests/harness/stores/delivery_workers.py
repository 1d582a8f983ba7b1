"""Workers that deliver messages to channels, without a network."""

from collections.abc import Callable, Sequence
from typing import Any

from cryptography.fernet import Fernet
from sqlalchemy import select

from conftest import FakeClock
from harness.builders.alert_messages import a_message
from tallyroom.alerts.channel_types.destination import Destination, Destinations
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.delivery.handler import DeliveryHandler
from tallyroom.alerts.delivery.message_queue import MessageQueue
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import Vault
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AlertChannel, Delivery, WorkItem, Workspace
from tallyroom.storage.queue.worker import QueueWorker

SECRET_ADDRESS = "https://example.com/secret-address"
Told = tuple[str, str]


class Post:
    """Stands in for the network: what arrived, and how each channel answers."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.answers: dict[str, Callable[[], Any]] = {}
        self.under_way: dict[str, int] = {}
        self.most_at_once = 0

    async def deliver(self, destination: Destination, message: AlertMessage, delivery_id: str) -> None:
        name = destination.address.rpartition("#")[2]
        self.under_way[name] = self.under_way.get(name, 0) + 1
        self.most_at_once = max(self.most_at_once, sum(self.under_way.values()))
        assert self.under_way[name] == 1, "one message at a time to each channel"
        try:
            self.told.append((name, delivery_id))
            if name in self.answers:
                await self.answers[name]()
        finally:
            self.under_way[name] -= 1


async def busy() -> None:
    raise DeliveryDeferred("HTTP 503")


async def gone() -> None:
    raise DeliveryRejected("HTTP 410")


class DeliveryWorker(QueueWorker):
    """A worker of the queue that only delivers messages."""

    def __init__(self, stage: "Stage", id_generator: IdGenerator, database: Database) -> None:
        super().__init__(database, stage.clock, id_generator, stage.id_generator.new())
        destinations = Destinations(stage.vault, GuardedFetcher(OutboundRules()), "")
        self.handlers = [
            DeliveryHandler(item_type, database, destinations, stage.post, stage.clock)  # type: ignore[arg-type] # a stand-in
            for item_type in ("delivery", "mail_delivery")
        ]
        self.set_handlers(self.handlers)

    @property
    def sent_count(self) -> int:
        return sum(handler.sent_count for handler in self.handlers)

    @property
    def given_up_count(self) -> int:
        return sum(handler.given_up_count for handler in self.handlers)


class Stage:
    """Workers on one metadata database and one clock, with channels a, b, c…"""

    def __init__(self, database: Database) -> None:
        self.database, self.clock, self.post = database, FakeClock(1_795_176_000_000), Post()
        self.id_generator = IdGenerator(self.clock)
        self.vault = Vault([Fernet.generate_key().decode()])

    def worker(self, random: int = 0x7FFF, database: Database | None = None) -> DeliveryWorker:
        """A worker whose chance is fixed: halfway, if nothing is said."""
        chance = IdGenerator(self.clock, lambda count: random.to_bytes(count, "big"))
        return DeliveryWorker(self, chance, database or self.database)

    async def channels(self, names: str, kind: str = "webhook", *, enabled: bool = True, workspace: str = "w") -> None:
        async with self.database.session(write=True) as db:
            if await db.get(Workspace, workspace) is None:
                db.add(Workspace(id=workspace, name="W", plan="paid", timezone="UTC", created_at_ms=0))
                await db.flush()
            for name in names:
                address = self.vault.encrypt(f"{SECRET_ADDRESS}#{name}")
                row: dict[str, Any] = {
                    "id": name,
                    "workspace_id": workspace,
                    "name": name,
                    "type": kind,
                    "destination": address,
                }
                row |= {"preview": "", "secret": None, "enabled": enabled, "created_at_ms": 0, "updated_at_ms": 0}
                db.add(AlertChannel(**row))

    async def write(self, channels: Sequence[str], **fields: Any) -> None:
        async with self.database.session(write=True) as db:
            await MessageQueue(self.clock, self.id_generator).enqueue(db, channels, a_message(**fields))

    async def go(self, worker: DeliveryWorker, seconds: float = 0) -> None:
        """Move the clock, and do all that is due then."""
        self.clock.advance(seconds)
        await worker.start_due()
        await worker.wait_until_idle()

    async def deliveries(self, channel: str | None = None) -> Sequence[Delivery]:
        async with self.database.session(write=False) as db:
            wanted = select(Delivery).order_by(Delivery.created_at_ms, Delivery.id)
            return (await db.scalars(wanted if channel is None else wanted.where(Delivery.channel_id == channel))).all()

    async def items(self) -> Sequence[WorkItem]:
        async with self.database.session(write=False) as db:
            return (await db.scalars(select(WorkItem).order_by(WorkItem.due_ms, WorkItem.id))).all()

    async def outcomes(self) -> list[tuple[str, int, str | None]]:
        return [(each.status, each.attempts, each.error) for each in await self.deliveries()]
