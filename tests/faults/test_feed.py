"""What a listing was told is there once, whatever happens to the server (rules/statistics#durable-feeding)."""

from pathlib import Path

import pytest

from harness.clients.voters import Voters, feeding_token, fresh_server, votes_known
from harness.clients.workspace import sign_up
from harness.servers.command import tallyroom
from harness.servers.server import Server

PLACES = ("feed.commit.after", "feed.insert", "feed.insert.after")


def test_a_vote_that_was_taken_counts_once_when_the_server_dies(tmp_path: Path) -> None:
    server = fresh_server(tmp_path / "data", failpoints="feed.insert.after=kill@5")
    try:
        token = feeding_token(sign_up(server.url))
        taken = vote_while_it_dies(server, token)
        known = votes_known(server.url, token)
        assert set(known.values()) == {taken}, known
    finally:
        server.kill()


@pytest.mark.long
@pytest.mark.parametrize("place", PLACES)
def test_the_same_at_each_place_again_and_again(tmp_path: Path, place: str) -> None:
    server = fresh_server(tmp_path / "data")
    try:
        token = feeding_token(sign_up(server.url))
        most = 0
        for time in (1, 2, 3, 5, 8, 13, 21):
            server.stop()
            server.settings["failpoints"] = f"{place}=kill@{time}"
            server.start()
            most = max(most, vote_while_it_dies(server, token))
        known = votes_known(server.url, token)
        # Each round has the users of the one before it and more, and their votes are repetitions.
        assert set(known.values()) == {most}, known
    finally:
        server.kill()


def vote_while_it_dies(server: Server, token: str) -> int:
    """Votes go on until the server has run into its failpoint and was started again; returns how many were taken."""
    with Voters(server, token) as voters:
        assert server.wait() == -9
        server.settings["failpoints"] = ""
        server.start()
        voters.wait_for(voters.taken + 5)
    return voters.taken


@pytest.mark.long
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
