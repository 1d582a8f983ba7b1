"""`tallyroom migrate-store`: what it needs to know, and that it explains itself; the move is in tests/operations/relocation."""

from pathlib import Path

from harness.servers.command import call, refusal


def test_the_new_place_must_be_known(tmp_path: Path) -> None:
    said = refusal(call("migrate-store", "--from", tmp_path / "old", "--data", tmp_path / "new"))
    assert "Set TALLYROOM_DB_DSN and TALLYROOM_EVENTS_DSN and TALLYROOM_SECRET_KEY. Nothing was changed." in said
    assert list(tmp_path.iterdir()) == []


def test_the_command_explains_itself() -> None:
    said = call("migrate-store", "--help").stdout
    assert "The data directory of the server to move to the workers." in " ".join(said.replace("│", " ").split())
