"""Every process has a name of its own, and settings that workers share tell them apart."""

from tallyroom.cluster.this_worker import fingerprint, this_worker
from tallyroom.core.ids import Ids
from tallyroom.core.settings import Settings


def test_a_process_has_a_name_of_its_own() -> None:
    first, second = (this_worker(Settings(), 7, 3, Ids()) for _ in range(2))
    assert first.id != second.id
    assert first._replace(id="") == second._replace(id="")
    assert (first.spool, first.epoch) == (7, 3)


def test_a_fingerprint_tells_settings_apart_that_workers_share() -> None:
    differing = [
        Settings(),
        Settings(base_url="https://a"),
        Settings(stats_url="https://a"),
        Settings(free_events_per_month=1),
        Settings(db_dsn="postgresql://a/b"),
        Settings(secret_key="k"),
        Settings(open_signup=True),
    ]
    assert len({fingerprint(settings) for settings in differing}) == len(differing)
    assert fingerprint(Settings(port=1, data="/elsewhere", log_level="error")) == fingerprint(Settings())
    assert "https" not in fingerprint(Settings(base_url="https://a"))
