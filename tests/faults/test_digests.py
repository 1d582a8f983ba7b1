"""A digest is sent once although the server dies, or twice with one Message-ID (rules/digests#once-for-each-due-time)."""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.child import WITH_HARNESS, run_child
from harness.mailbox import Mailbox

KILLED = -9

# One server for a moment: it makes the digest if there is none, and sends what is due by a clock of the test.
_RUN = """
import asyncio, sys
from pathlib import Path
from harness.digesting import PlainRenderer, run
from tallyroom.analytics.dashboards.schemas import DashboardIn
from tallyroom.analytics.dashboards.service import create_dashboard
from tallyroom.analytics.digests import service
from tallyroom.analytics.digests.mailer import DigestMailer
from tallyroom.analytics.digests.schemas import DigestIn
from tallyroom.auth.roles import Role
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.auth.workspaces import found_workspace
from tallyroom.core import failpoints
from tallyroom.core.ids import Ids
from tallyroom.core.mail_server import read_mail_server
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Database
from tallyroom.db.models import User
from tallyroom.notify.email import Mailer

path, port, now, spec = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]

class Clock:
    def now_ms(self):
        return now
    def monotonic(self):
        return now / 1000

async def make(database, ids):
    async with database.session(write=True) as db:
        db.add(User(id="u", email="u@example.com", name="U", password_hash="", created_at_ms=0))
        await db.flush()
        made = await found_workspace(db, "Acme", "u", settings=Settings(), clock=Clock(), ids=ids)
        principal = SessionPrincipal("u", made.id, Role.OWNER, "paid", b"")
        board = await create_dashboard(db, principal, DashboardIn(name="Shop"), Clock(), ids)
        people = ["ann@example.com", "ben@example.com", "cat@example.com"]
        body = DigestIn(dashboard_id=board.id, cadence="daily", recipients=people, timezone="UTC")
        await service.create_digest(db, principal, body, Clock(), ids)

async def main():
    database, ids = Database(path), Ids(Clock())
    if spec == "make":
        await make(database, ids)
    else:
        failpoints.configure(spec)
        server = read_mail_server(f"smtp://127.0.0.1:{port}?starttls=never", "Tallyroom <no@example.com>")
        outgoing = Mailer(server, Clock(), ids)
        await run(DigestMailer(database, PlainRenderer(), outgoing, Clock(), ids, "https://example.com"))
    await database.close()

asyncio.run(main())
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

    def __init__(self, path: Path, box: Mailbox) -> None:
        self.path, self.box = path, box
        self.live(NOON, "make")

    def live(self, now: int, spec: str = "", exits: int = 0) -> None:
        run_child(_RUN, self.path, self.box.port, now, spec, exits=exits, **WITH_HARNESS)


@pytest.fixture
def life(new_metadata: Path, tmp_path: Path, box: Mailbox) -> Life:
    return Life(Path(shutil.copy2(new_metadata, tmp_path)), box)


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


def test_deaths_one_after_the_other(life: Life, box: Mailbox) -> None:
    now = NOON + DAY
    for spec in ("digest.claimed=kill", "digest.handed_in=kill", "digest.handed_in=kill"):
        life.live(now, spec, exits=KILLED)
        now += LATER
    life.live(now)
    assert len(ids(box)) == 3
    assert max(ids(box).values()) <= 3
