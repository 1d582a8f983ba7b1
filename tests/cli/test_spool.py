"""`tallyroom spool adopt`: it takes the directory of a worker that is gone, and nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.child import WITH_HARNESS
from harness.command import call, refusal
from harness.one_of_several import Several
from harness.patience import PATIENCE


def adopt(several: Several, name: str) -> "subprocess.CompletedProcess[str]":
    """The command on the worker in the directory of that name, with the settings of the others."""
    settings = several.settings(name)
    servers = {each: getattr(settings, each) for each in ("db_dsn", "events_dsn", "events_reader", "secret_key")}
    command = [sys.executable, "-m", "harness.serving", json.dumps(servers), "spool", "adopt", settings.data]
    environment = {each: value for each, value in os.environ.items() if not each.startswith("TALLYROOM_")}
    return subprocess.run(
        command, env=environment | WITH_HARNESS, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


async def test_a_directory_is_adopted_once(several: Several) -> None:
    spool, _ = await several.once("a")
    await several.once("b")
    done = adopt(several, "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"The spool {spool} is empty: 0 events were delivered. Another worker answers for all that came through it. "
        f"{several.folder / 'a'} is no longer needed.\n"
    )
    again = adopt(several, "a")
    assert again.returncode == 1
    assert "was adopted: others have gone on without it" in again.stderr


def test_a_directory_without_a_spool_is_refused(several: Several) -> None:
    done = adopt(several, "none")
    assert (done.returncode, done.stdout) == (1, "")
    assert "has no spool (spool.sqlite). Nothing was changed." in done.stderr
    assert not (several.folder / "none").exists()


def test_the_only_spool_of_a_server_is_not_for_adoption(tmp_path: Path) -> None:
    assert "Only one of several workers has a spool to adopt" in refusal(call("spool", "adopt", tmp_path))


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_the_command_explains_itself(words: tuple[str, ...]) -> None:
    assert "adopt" in call("spool", *words).stdout
