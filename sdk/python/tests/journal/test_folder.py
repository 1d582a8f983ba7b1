"""The folder of the queue: who owns which journal, and what a start adopts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.sdk.hand_driven import numbered_chance
from tallyroom_client.cut import CutLimit
from tallyroom_client.journal.folder import QueueFolder, default_folder
from tallyroom_client.journal.refused import RefusedEvents


def opened(path: Path) -> QueueFolder:
    return QueueFolder(path, make_key=numbered_chance().key, now_ms=lambda: 0)


def test_a_living_process_keeps_its_journal_and_a_dead_ones_is_adopted(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "q"), opened(tmp_path / "q")
    first.journal.append(b'{"name":"a"}')
    second.journal.append(b'{"name":"b"}')
    assert second.adopt() == []
    first.journal.abandon()
    (journal,) = second.adopt()
    assert second.adopt() == []
    cut = journal.next_cut(CutLimit())
    assert cut
    assert (cut.queue_id, cut.events) == (first.journal.queue_id, [b'{"name":"a"}'])
    journal.acknowledge(cut.key, 202)
    journal.close()
    second.journal.close()
    assert len(list((tmp_path / "q").glob("*.journal"))) == 1


def test_journals_are_adopted_in_the_order_in_which_their_processes_began(tmp_path: Path) -> None:
    ids = []
    for moment in (30, 10, 20):
        folder = opened(tmp_path)
        folder.journal.append(b'{"name":"a"}')
        folder.journal.abandon()
        os.utime(tmp_path / f"{folder.journal.queue_id}.lock", (moment, moment))
        ids.append(folder.journal.queue_id)
    newest = opened(tmp_path)
    assert [journal.queue_id for journal in newest.adopt()] == [ids[1], ids[2], ids[0]]


def test_the_journal_of_a_process_without_events_leaves_nothing(tmp_path: Path) -> None:
    opened(tmp_path).journal.abandon()
    folder = opened(tmp_path)
    assert folder.adopt() == []
    folder.journal.close()
    assert list(tmp_path.iterdir()) == []


def test_another_process_holds_its_lock_until_it_is_killed(tmp_path: Path) -> None:
    code = """if True:
        import sys, time
        from pathlib import Path
        from tallyroom_client.journal.folder import QueueFolder
        folder = QueueFolder(Path(sys.argv[1]), make_key=lambda: "o" * 22, now_ms=lambda: 0)
        folder.journal.append(b'{"name":"a"}')
        print("ready", flush=True)
        time.sleep(600)
    """
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        folder = opened(tmp_path)
        assert folder.adopt() == []
        process.kill()
    assert [journal.queue_id for journal in folder.adopt()] == ["o" * 22]


def test_files_roll_and_are_deleted_once_their_events_are_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallyroom_client.journal.journal.MAX_FILE_BYTES", 100)
    journal = opened(tmp_path).journal
    events = [b'{"name":"event %d"}' % number for number in range(30)]
    for event in events:
        journal.append(event)
    assert len(list(tmp_path.glob("*.journal"))) == 10
    sent = []
    while cut := journal.next_cut(CutLimit(2)):
        sent += cut.events
        journal.acknowledge(cut.key, 202)
    assert sent == events
    assert len(list(tmp_path.glob("*.journal"))) == 1
    journal.close()
    assert list(tmp_path.iterdir()) == []


def test_only_its_user_may_read_the_queue(tmp_path: Path) -> None:
    folder = opened(tmp_path / "q")
    folder.journal.append(b'{"name":"a"}')
    assert (tmp_path / "q").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "q").iterdir()} == {0o600}


def test_each_server_and_key_has_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folders = {
        default_folder(url, key) for url in ("http://a", "http://b") for key in ("tr_live_aaaa1", "tr_live_bbbb1")
    }
    assert len(folders) == 4
    assert default_folder("http://a", "tr_live_aaaa1") == default_folder("http://a", "tr_live_aaaa2")
    assert {folder.parent for folder in folders} == {tmp_path / "tallyroom"}


def test_refused_events_take_at_most_a_mebibyte(tmp_path: Path) -> None:
    refused = RefusedEvents(tmp_path / "refused")
    for number in range(60):
        refused.add([b'{"name":"%060000d"}' % number], 400, "wrong")
    files = list((tmp_path / "refused").iterdir())
    assert sum(file.stat().st_size for file in files) <= 1024 * 1024
    assert b"%060d" % 59 in (tmp_path / "refused" / "refused.jsonl").read_bytes()
