"""`tallyroom spool adopt`: it takes the directory of a worker that is gone, and nothing else."""

from pathlib import Path

import pytest

from harness.servers.command import Done, call, refusal, tallyroom
from harness.servers.one_of_several import Several


def adopt(several: Several, name: str) -> Done:
    """The command on the worker in the directory of that name, with the settings of the others."""
    return tallyroom("spool", "adopt", several.folder / name, servers=several.servers)


@pytest.mark.long
async def test_a_directory_is_adopted_once(several: Several) -> None:
    spool, _ = await several.once("a")
    await several.once("b")
    done = adopt(several, "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"The spool {spool} is empty: 0 events were delivered. Another worker is responsible for all events that came through it. "
        f"{several.folder / 'a'} is no longer needed.\n"
    )
    again = adopt(several, "a")
    assert again.returncode == 1
    assert "was adopted: other workers have continued without it" in again.stderr


def test_a_directory_without_a_spool_is_refused(several: Several) -> None:
    done = adopt(several, "none")
    assert (done.returncode, done.stdout) == (1, "")
    assert "has no spool (spool.sqlite). Nothing was changed." in done.stderr
    assert not (several.folder / "none").exists()


def test_the_only_spool_of_a_server_is_not_for_adoption(tmp_path: Path) -> None:
    assert "Only the spool of one of several workers can be adopted" in refusal(call("spool", "adopt", tmp_path))


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_the_command_explains_itself(words: tuple[str, ...]) -> None:
    assert "adopt" in call("spool", *words).stdout
