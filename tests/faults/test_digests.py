"""A digest is sent once although the server dies, or twice with one Message-ID (rules/digests#once-for-each-due-time)."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.servers.child import Interpreter
from harness.servers.mailbox import Mailbox

KILLED = -9

# One server for a moment: it makes the digest if there is none, and sends what is due by a clock of the test. It lives
# in a process of its own, a copy of one that has loaded everything.
PRELUDE = """
import asyncio, os, sys, traceback
from pathlib import Path
from harness.builders.digest_mails import PlainRenderer, QueuedMailer, ReaderBehind, run
from tallyroom.dashboards.dashboards.schemas import DashboardIn
from tallyroom.dashboards.dashboards.service import create_dashboard
from tallyroom.digests import service
from tallyroom.digests.schemas import DigestIn
from tallyroom.auth.roles import Role
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core import failpoints
from tallyroom.core.ids import IdGenerator
from tallyroom.core.mail_server import read_mail_server
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.sqlite import SqliteDatabase
from tallyroom.storage.metadata.models import User
from tallyroom.mail.email import Mailer
from tallyroom.storage.queue.worker import QueueWorker

class Clock:
    def __init__(self, now):
        self.now = now
    def now_ms(self):
        return self.now
    def monotonic(self):
        return self.now / 1000

async def make(database, clock, id_generator):
    async with database.session(write=True) as db:
        db.add(User(id="u", email="u@example.com", name="U", password_hash="", created_at_ms=0))
        await db.flush()
        made = await set_up_workspace(db, "Acme", "u", settings=Settings(), clock=clock, id_generator=id_generator)
        principal = MemberPrincipal("u", made.id, Role.OWNER, "paid", b"")
        board = await create_dashboard(db, principal, DashboardIn(name="Shop"), clock, id_generator)
        people = ["ann@example.com", "ben@example.com", "cat@example.com"]
        body = DigestIn(dashboard_id=board.id, cadence="daily", recipients=people, timezone="UTC")
        await service.create_digest(db, principal, body, clock, id_generator)

async def live(path, port, now, spec):
    clock = Clock(now)
    database, id_generator = SqliteDatabase(Path(path)), IdGenerator(clock)
    if spec == "make":
        await make(database, clock, id_generator)
    else:
        failpoints.configure(spec)
        server = read_mail_server(f"smtp://127.0.0.1:{port}?starttls=never", "Tallyroom <no@example.com>")
        outgoing = Mailer(server, clock, id_generator)
        queue = QueueWorker(database, clock, id_generator, id_generator.new())
        parts = database, ReaderBehind(), PlainRenderer(), outgoing, clock, id_generator
        await run(QueuedMailer(queue, *parts, public_url="https://example.com"))
    await database.close()

def exit_of(*told):
    child = os.fork()
    if not child:
        code = 1
        try:
            asyncio.run(live(*told))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""

NOON = 1_795_176_000_000
DAY = 86_400_000
LATER = 6 * 60_000


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with Mailbox().running() as box:
        yield box


class Life:
    """A metadata database on which servers live and die."""

    def __init__(self, path: Path, box: Mailbox, child: Interpreter) -> None:
        self.path, self.box, self.child = path, box, child
        self.live(NOON, "make")

    def live(self, now: int, spec: str = "", exits: int = 0) -> None:
        told = self.child.run(f"print(exit_of(path, {self.box.port}, {now}, spec))", path=str(self.path), spec=spec)
        assert told == [str(exits)]


@pytest.fixture
def life(metadata: Path, box: Mailbox, child: Interpreter) -> Life:
    return Life(metadata, box, child)


def ids(box: Mailbox) -> Counter[str]:
    """How often each mail arrived."""
    return Counter(str(letter["message-id"]) for letter in box.letters)


def test_after_a_death_behind_the_claim_each_mail_comes_once(life: Life, box: Mailbox) -> None:
    life.live(NOON + DAY, "digest.claimed=kill", exits=KILLED)
    assert box.letters == []
    for _ in range(2):
        life.live(NOON + DAY + 60_000)
    assert sorted(ids(box).values()) == [1, 1, 1]
    life.live(NOON + 2 * DAY)
    assert sorted(ids(box).values()) == [1] * 6


@pytest.mark.parametrize("nth", [2, *(pytest.param(nth, marks=pytest.mark.long) for nth in (1, 3))])
def test_after_a_death_before_the_mark_a_mail_comes_twice_at_most_and_can_be_known(
    life: Life, box: Mailbox, nth: int
) -> None:
    life.live(NOON + DAY, f"digest.handed_in=kill@{nth}", exits=KILLED)
    for _ in range(2):
        life.live(NOON + DAY + LATER)
    found = ids(box)
    assert len(found) == 3
    assert max(found.values()) <= 2
    life.live(NOON + DAY + 2 * LATER)
    assert ids(box) == found


@pytest.mark.long
def test_deaths_one_after_the_other(life: Life, box: Mailbox) -> None:
    now = NOON + DAY
    for spec in ("digest.claimed=kill", "digest.handed_in=kill", "digest.handed_in=kill"):
        life.live(now, spec, exits=KILLED)
        now += LATER
    life.live(now)
    assert len(ids(box)) == 3
    assert max(ids(box).values()) <= 3
