"""What an operator reads when a server has started."""

import socket
from contextlib import closing

import pytest

from tallyroom.core.settings import Settings
from tallyroom.server.announcement import Announcement, InitSystem

PUBLIC = "https://tally.example.com"


@pytest.mark.parametrize(
    ("base_url", "is_owned", "next_line"),
    [
        ("", False, "Next: open http://127.0.0.1:{port} - it shows how to send your first event.\n"),
        (PUBLIC, False, f"Next: open {PUBLIC} - it shows how to send your first event.\n"),
        ("", True, ""),
        (PUBLIC, True, ""),
    ],
)
def test_whoever_comes_first_is_told_where_to_go(
    capsys: pytest.CaptureFixture[str], base_url: str, next_line: str, *, is_owned: bool
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
        settings = Settings(base_url=base_url, data="/data")
        Announcement(settings, [listener], InitSystem("")).note_started(is_owned=is_owned)
    first, rest = capsys.readouterr().out.split("\n", 1)
    assert f" listens on http://127.0.0.1:{port} and keeps its data in /data" in first
    assert rest == next_line.format(port=port)
