"""A server that is killed, stopped or blocked during a backup loses nothing; half a backup is never taken for a whole.

What befalls the command alone: test_backup_broken_off.py.
"""

import shutil
from functools import partial
from pathlib import Path

import pytest

from harness.clients.backup_commands import Meanwhile, back_up, cleared, copy_meanwhile, left_behind, restore
from harness.servers.command import call, launch_tallyroom, refusal, tallyroom
from harness.servers.site import MakeSite
from harness.stores.directory_counts import read_held
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.backup.verify import verify_backup


@pytest.mark.long
def test_the_server_is_killed_while_it_is_frozen(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site().begin("backup.freeze.after=kill")
    load = site.load(pause=0.1, largest=20)
    load.wait_for(202, 20)
    assert "server ended" in refusal(call("backup", tmp_path / "backup", "--data", site.data))
    assert site.server.wait() == -9
    assert (site.data / "events" / "shadow").exists()
    site.start()
    assert left_behind(site, tmp_path / "backup") == []
    back_up(site, tmp_path / "backup")
    load.wait_for(202, 5)
    load.finish()
    site.account()


@pytest.mark.long
def test_the_server_is_killed_while_its_files_are_copied(make_site: MakeSite, tmp_path: Path) -> None:
    """What was frozen is still there: the backup is as good as any."""
    site = make_site().begin()
    load = site.load()
    load.wait_for(202, 30)
    load.finish()
    before = site.ledger.acknowledged()
    made = copy_meanwhile(site, tmp_path / "backup", Meanwhile(site.server.kill))
    assert made.balance.adds_up
    shutil.rmtree(site.data)
    restore(site, tmp_path / "backup")
    site.ledger.forget_all_but(before)
    site.start()
    site.account()


@pytest.mark.long
def test_the_server_is_killed_and_started_while_its_files_are_copied(make_site: MakeSite, tmp_path: Path) -> None:
    """The start clears what was frozen, so the backup fails and leaves nothing."""
    site = make_site().begin()
    load = site.load()
    load.wait_for(202, 30)
    load.finish()

    def restart() -> None:
        site.server.kill()
        site.start()

    with pytest.raises(FileNotFoundError):
        copy_meanwhile(site, tmp_path / "backup", Meanwhile(restart))
    assert left_behind(site, tmp_path / "backup") == []
    site.account()


@pytest.mark.long
def test_a_command_that_is_told_to_stop_lets_the_drain_go(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site().begin("backup.freeze.after=block:5")
    command = launch_tallyroom("backup", tmp_path / "backup", "--data", site.data)
    cleared(lambda: not (site.data / "events" / "shadow").exists() and site.metric("spool_waiting_bytes") == 0)
    site.ledger.send(["held"])
    assert site.workspace.send({"name": "n", "_actor": "held"}).status_code == 202
    site.ledger.ack(["held"])
    command.terminate()
    said, _ = command.communicate(timeout=20)
    assert command.returncode == 1
    assert said == "tallyroom: Interrupted. The incomplete copy was removed.\n"
    cleared(partial(left_behind, site, tmp_path / "backup"))
    site.account()


@pytest.mark.long
def test_a_store_that_takes_nothing_is_not_backed_up(make_site: MakeSite, tmp_path: Path) -> None:
    """And ingest goes on, and the backup succeeds when the cause is gone."""
    site = make_site().begin("store.insert=error")
    assert site.workspace.send({"name": "n", "_actor": "a"}).status_code == 202
    site.ledger.send(["a"])
    site.ledger.ack(["a"])
    sentence = refusal(tallyroom("backup", tmp_path / "backup", "--data", site.data))
    assert "did not accept the queued" in sentence
    assert "injected fault" in sentence
    done = tallyroom("doctor", "--data", site.data)
    assert done.returncode == 1
    assert "The store accepts no events, and 1 are queued: injected fault" in done.stdout
    assert site.workspace.send({"name": "n"}).status_code == 202
    site.server.kill()  # the range is left open, and the next backup finds no server
    made = back_up(site, tmp_path / "backup")
    assert (made.balance.events, made.balance.counts.queued) == (1, 1)
    site.start()
    site.drained()
    site.server.stop()
    assert read_held(site.data).rows == 2


@pytest.mark.long
def test_a_stop_during_a_backup(make_site: MakeSite, tmp_path: Path) -> None:
    """SIGTERM while the drain is held: the server ends in order, and the backup is whole or not there."""
    site = make_site().begin("backup.freeze.after=block")
    command = launch_tallyroom("backup", tmp_path / "backup", "--data", site.data)
    cleared(lambda: not (site.data / "events" / "shadow").exists())
    assert site.server.stop() == 0
    said, _ = command.communicate(timeout=20)
    if command.returncode:
        assert "server ended" in said
        assert left_behind(site, tmp_path / "backup") == []
    else:
        assert verify_backup(tmp_path / "backup", NoProgress()).balance.adds_up
        assert left_behind(site, tmp_path / "another") == []
