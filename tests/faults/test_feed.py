"""What a listing was told is there once, whatever happens to the server (rules/statistics#durable-feeding)."""

from pathlib import Path

import pytest

from harness.command import tallyroom
from harness.feeding import Voters, feeding_token, fresh_server, votes_known
from harness.workspace import sign_up

PLACES = ("feed.commit.after", "feed.insert", "feed.insert.after")


def test_a_vote_that_was_taken_counts_once_when_the_server_dies(tmp_path: Path) -> None:
    die_while_fed(tmp_path, ["feed.insert.after=kill@3"])


@pytest.mark.long
@pytest.mark.parametrize("place", PLACES)
def test_the_same_at_each_place_again_and_again(tmp_path: Path, place: str) -> None:
    die_while_fed(tmp_path, [f"{place}=kill@{time}" for time in (1, 2, 3, 5, 8, 13, 21)])


def die_while_fed(folder: Path, faults: list[str]) -> None:
    server = fresh_server(folder / "data")
    try:
        token = feeding_token(sign_up(server.url))
        most = 0
        for fault in faults:
            server.stop()
            server.settings["failpoints"] = fault
            server.start()
            with Voters(server, token) as voters:
                server.process.wait(20)
                server.kill()
                server.settings["failpoints"] = ""
                server.start()
                voters.wait_for(voters.taken + 5)
            most = max(most, voters.taken)
        known = votes_known(server.url, token)
        # Each round has the users of the one before it and more, and their votes are repetitions.
        assert set(known.values()) == {most}, known
    finally:
        server.kill()


def test_a_backup_under_votes_is_one_moment_of_all_places(tmp_path: Path) -> None:
    server = fresh_server(tmp_path / "data", failpoints="feed.insert=block:1@2")
    try:
        token = feeding_token(sign_up(server.url))
        with Voters(server, token) as voters:
            voters.wait_for(30)
            before = voters.taken
            done = tallyroom("backup", tmp_path / "copy", "--data", server.data)
            assert (done.returncode, done.stderr) == (0, "")
            after = voters.taken
    finally:
        server.kill()
    done = tallyroom("restore", tmp_path / "copy", "--data", tmp_path / "again", "--verify")
    assert (done.returncode, done.stderr) == (0, "")
    server = fresh_server(tmp_path / "again")
    try:
        known = votes_known(server.url, token)
        assert len(set(known.values())) == 1, known
        assert before <= known["voters"] <= after + 1
    finally:
        server.kill()
