"""Sends what waits in an outbox of mails until it is killed: the database, the key, the mail server, how long a lease is."""

import asyncio
import sys

from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core.clock import SystemClock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.mail_server import read_mail_server
from tallyroom.core.vault import Vault
from tallyroom.mail.email import Mailer
from tallyroom.mail.outbox import MailOutbox
from tallyroom.storage.queue import worker
from tallyroom.storage.queue.worker import QueueWorker


async def _send(dsn: str, key: str, url: str) -> None:
    clock = SystemClock()
    id_generator = IdGenerator(clock)
    mailer = Mailer(read_mail_server(url, "noreply@example.com"), clock, id_generator)
    queue = QueueWorker(PostgresqlDatabase(dsn), clock, id_generator, id_generator.new())
    print("sending", flush=True)  # noqa: T201 # that is how it tells
    await queue.run([MailOutbox(queue, mailer, Vault([key]), clock, id_generator)])


if __name__ == "__main__":
    vars(worker).update(LEASE_MS=int(sys.argv[4]))
    asyncio.run(_send(*sys.argv[1:4]))
