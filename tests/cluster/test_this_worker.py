"""Every process has a name of its own, and settings that workers share tell them apart."""

from tallyroom.cluster.this_worker import create_worker, fingerprint_settings
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings


def test_a_process_has_a_name_of_its_own() -> None:
    first, second = (create_worker(Settings(), 7, 3, IdGenerator()) for _ in range(2))
    assert first.id != second.id
    assert first._replace(id="") == second._replace(id="")
    assert (first.spool_id, first.epoch) == (7, 3)


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
    assert len({fingerprint_settings(settings) for settings in differing}) == len(differing)
    assert fingerprint_settings(Settings(port=1, data="/elsewhere", log_level="error")) == fingerprint_settings(
        Settings()
    )
    assert "https" not in fingerprint_settings(Settings(base_url="https://a"))
