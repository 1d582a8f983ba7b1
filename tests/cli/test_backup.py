"""`tallyroom backup`, `restore` and `verify`: refusals are one sentence. Whole round trips: tests/faults/test_backup.py."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

from harness.builders.backups import make_by_hand
from harness.servers.command import call, refusal, tallyroom
from tallyroom.cli.backup import CommandFailed, ProgressBars, report_in_one_sentence, show_progress_bars
from tallyroom.storage.event_store.errors import StoreError


def test_a_backup_of_nothing_is_refused_and_makes_nothing(tmp_path: Path) -> None:
    sentence = refusal(call("backup", tmp_path / "backup", data=str(tmp_path / "data")))
    assert sentence.startswith(f"There is no Tallyroom data in {tmp_path / 'data'}")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    for command in (("verify", tmp_path), ("restore", tmp_path, "--data", tmp_path / "data")):
        assert "is not a complete backup" in refusal(call(*command))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_whole_one_is_told_what_it_holds(tmp_path: Path) -> None:
    make_by_hand(tmp_path / "backup")
    done = tallyroom("verify", tmp_path / "backup")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"{tmp_path / 'backup'} is complete and undamaged: 5 acknowledged events as of 2026-11-20 12:00:00 UTC (3 stored, 2 queued),"
        " 5 files, 3.0 MB.\n"
    )


@pytest.mark.parametrize("words", [["backup"], ["restore"], ["verify"], ["verify", "a", "b"], ["restore", "a", "--x"]])
def test_a_wrong_command_line(words: list[str]) -> None:
    done = call(*words)
    assert done.returncode
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            FileNotFoundError(2, "No such file or directory", "/a/b"),
            "No such file or directory (/a/b). The incomplete copy was removed",
        ),
        (OSError("strange"), "strange. The incomplete copy was removed"),
        (StoreError("Code: 1. DB::Exception\nstack"), "Code: 1. DB::Exception"),
        (KeyboardInterrupt(), "Interrupted. The incomplete copy was removed"),
    ],
)
def test_errors_become_sentences(error: BaseException, words: str) -> None:
    with pytest.raises(CommandFailed) as failed, report_in_one_sentence():
        raise error
    assert failed.value.message.startswith(words)
    assert "\n" not in failed.value.message


def test_bars_show_each_step_on_a_terminal_and_nothing_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    screen = io.StringIO()
    with Progress(console=Console(file=screen, force_terminal=True)) as progress:
        shown = ProgressBars(progress)
        shown.begin_step("Copying", 200)
        shown.advance(100)
        [task] = progress.tasks
        assert (task.description, task.percentage) == ("Copying", 50)
        shown.begin_step("Verifying", 10)
        assert (task.description, task.completed) == ("Verifying", 0)
    assert "Verifying" in screen.getvalue()
    with show_progress_bars() as silent:
        silent.begin_step("Copying", 1)
        silent.advance(1)
    assert capsys.readouterr() == ("", "")
