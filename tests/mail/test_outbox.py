"""A mail that was caused is sent, by one worker at a time, whatever stops (rules/people#email)."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from cryptography.fernet import Fernet

from conftest import FakeClock
from harness.servers.killable import KillableProcess
from harness.servers.mailbox import Mailbox
from harness.stores.mail_posting import Posting
from harness.suite.patience import until
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core.clock import SystemClock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.mail_server import read_mail_server
from tallyroom.core.times import DAY_MS
from tallyroom.core.vault import Vault
from tallyroom.mail.email import Mailer
from tallyroom.mail.outbox import MailOutbox
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.queue.pauses import RETRY_PAUSES_MS
from tallyroom.storage.queue.worker import LEASE_MS, QueueWorker

MakeMailbox = Callable[..., Mailbox]
MakeMailer = Callable[[str], Posting]

TEXT = "Open https://stats.example.com/reset?token=trr_0123456789"


def sender(database: Database, mailbox: Mailbox, key: str, clock: Any) -> Posting:
    server = read_mail_server(f"smtp://127.0.0.1:{mailbox.port}", "noreply@example.com")
    return Posting(database, Mailer(server, clock, IdGenerator(clock)), Vault([key]), clock)


async def test_a_mail_is_sent_only_if_what_caused_it_was_kept(
    database: Database, make_mailbox: MakeMailbox, make_mailer: MakeMailer
) -> None:
    mailbox = make_mailbox()
    mailer = make_mailer(f"smtp://127.0.0.1:{mailbox.port}")
    with suppress(ZeroDivisionError):
        async with database.session(write=True) as db:
            await mailer.outbox.enqueue(db, "you@example.com", "s", TEXT)
            raise ZeroDivisionError
    assert await mailer.waiting() == []
    await mailer.go()
    assert mailbox.letters == []


async def test_what_waits_is_encrypted(make_mailer: MakeMailer) -> None:
    mailer = make_mailer("smtp://127.0.0.1:1")
    await mailer.post("you@example.com", "s", TEXT)
    [mail] = await mailer.waiting()
    assert "trr_" not in mail.payload
    assert "you@" not in mail.payload


async def test_the_pauses_grow_and_after_a_day_it_is_over(
    make_mailer: MakeMailer, fake_clock: FakeClock, losses: Callable[[], list[dict[str, Any]]]
) -> None:
    mailer = make_mailer("smtp://127.0.0.1:1")
    began = fake_clock.now_ms()
    await mailer.post("you@example.com", "s", TEXT)
    pauses = []
    for _ in range(6):
        await mailer.go()
        [mail] = await mailer.waiting()
        pauses.append(mail.due_ms - fake_clock.now_ms())
        fake_clock.advance(pauses[-1] / 1000)
    assert pauses == pytest.approx([*RETRY_PAUSES_MS, RETRY_PAUSES_MS[-1]], abs=20)
    await mailer.close()
    assert DAY_MS - RETRY_PAUSES_MS[-1] < fake_clock.now_ms() - began <= DAY_MS
    assert [each["to"] for each in losses()] == ["you@example.com"]


async def test_a_mail_of_another_key_waits_until_the_key_is_back(
    database: Database, make_mailbox: MakeMailbox, fake_clock: FakeClock
) -> None:
    mailbox, old, new = make_mailbox(), Fernet.generate_key().decode(), Fernet.generate_key().decode()
    await sender(database, mailbox, old, fake_clock).post("you@example.com", "s", TEXT)
    await sender(database, mailbox, new, fake_clock).go()
    assert mailbox.letters == []
    await sender(database, mailbox, old, fake_clock).go(RETRY_PAUSES_MS[0] / 1000)
    assert len(mailbox.letters) == 1


async def test_what_a_stop_leaves_is_sent_at_the_next_start(
    database: Database, make_mailbox: MakeMailbox, fake_clock: FakeClock
) -> None:
    mailbox, key = make_mailbox(), Fernet.generate_key().decode()
    stopped = sender(database, mailbox, key, fake_clock)
    sending = asyncio.create_task(stopped.queue.run([stopped.outbox]))
    await asyncio.sleep(0)
    sending.cancel()
    with suppress(asyncio.CancelledError):
        await sending
    await stopped.post("you@example.com", "s", TEXT)
    [mail] = await stopped.waiting()
    started = sender(database, mailbox, key, fake_clock)
    sending = asyncio.create_task(started.queue.run([started.outbox]))
    started.outbox.send_soon()
    await until(lambda: len(mailbox.letters) == 1)
    sending.cancel()
    with suppress(asyncio.CancelledError):
        await sending
    assert str(mailbox.letters[0]["message-id"]) == f"<{mail.id}@example.com>"
    assert await started.waiting() == []


async def test_an_attempt_that_a_stop_cuts_off_is_free_at_once(
    database: Database, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch, make_mailer: MakeMailer
) -> None:
    mailer, begun = make_mailer("smtp://127.0.0.1:1"), asyncio.Event()
    mailer.outbox.limits = mailer.outbox.limits._replace(stop_seconds=0.0)

    async def hang(_: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(mailer.mailer, "send", hang)
    await mailer.post("you@example.com", "s", TEXT)
    sending = asyncio.create_task(mailer.queue.run([mailer.outbox]))
    await begun.wait()
    assert [each.leased_until_ms for each in await mailer.waiting()] == [fake_clock.now_ms() + LEASE_MS]
    sending.cancel()
    with suppress(asyncio.CancelledError):
        await sending
    assert [each.leased_until_ms for each in await mailer.waiting()] == [None]


async def test_several_workers_send_each_mail_once(dsn: str, make_mailbox: MakeMailbox, fake_clock: FakeClock) -> None:
    mailbox, key = make_mailbox(), Fernet.generate_key().decode()
    databases = [PostgresqlDatabase(dsn) for _ in range(6)]
    senders = [sender(database, mailbox, key, fake_clock) for database in databases]
    addresses = [f"you{number}@example.com" for number in range(40)]
    for address in addresses:
        await senders[0].post(address, "s", TEXT)
    while await senders[0].waiting():
        await asyncio.gather(*(each.go() for each in senders))
    assert sorted(str(letter["to"]) for letter in mailbox.letters) == sorted(addresses)
    for database in databases:
        await database.close()


@pytest.mark.long
@pytest.mark.parametrize("kills", [2, 20])
async def test_workers_that_are_killed_lose_no_mail(dsn: str, make_mailbox: MakeMailbox, kills: int) -> None:
    mailbox, key, chance = make_mailbox(), Fernet.generate_key().decode(), random.Random(kills)
    words = ("harness.stores.outbox_sender", dsn, key, f"smtp://127.0.0.1:{mailbox.port}", 1500)
    database, clock = PostgresqlDatabase(dsn), SystemClock()
    id_generator = IdGenerator(clock)
    queue = QueueWorker(database, clock, id_generator, id_generator.new())
    outbox = MailOutbox(queue, Mailer(None, clock, id_generator), Vault([key]), clock, id_generator)
    workers = [await asyncio.to_thread(KillableProcess, *words) for _ in range(3)]
    addresses = [f"you{number}@example.com" for number in range(10 * kills)]
    try:
        for number, address in enumerate(addresses):
            async with database.session(write=True) as db:
                await outbox.enqueue(db, address, "s", TEXT)
            if number % 10 == 5:
                workers.pop(chance.randrange(len(workers))).kill()
                workers.append(await asyncio.to_thread(KillableProcess, *words))
        await until(lambda: {str(letter["to"]) for letter in mailbox.letters} == set(addresses))
    finally:
        for worker in workers:
            worker.kill()
        await database.close()
    assert len({str(letter["message-id"]) for letter in mailbox.letters}) == len(addresses), "a double has the same id"
