"""`tallyroom import events`: whether every row counts is the exit code, whatever else goes wrong."""

from pathlib import Path

from harness.clients.import_command import ndjson, numbers, one_sentence, run
from harness.clients.workspace import Workspace
from harness.servers.command import call
from harness.servers.scripted_server import ScriptedServer, refusal


def test_an_import_says_what_it_did_when_the_refused_rows_cannot_be_written(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = ndjson(tmp_path / "events.ndjson", [{"name": "n"}, {"name": ""}])
    done = run(workspace, path, "--refused", "/dev/full", exits=1)
    assert numbers(done) == (2, 1, 0, 1)
    one_sentence(done, "No space left on device")


def test_rows_that_an_earlier_run_left_out_are_no_success(tmp_path: Path) -> None:
    """The server knows the key of the batch with another body than any that this run can make."""
    path = ndjson(tmp_path / "events.ndjson", [{"name": "n"}])
    with ScriptedServer(lambda _: refusal(422, "idempotency_mismatch")) as server:
        done = call("import", "events", path, url=server.url, key="tr_live_x")
    assert done.returncode == 1
    assert "are still missing" in done.stdout
