"""`tallyroom import events`: rows become events once, and a refusal is told with its line (rules/events#import)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from harness.clients.actor import counts
from harness.clients.import_command import events, ndjson, numbers, one_sentence, run, run_here
from harness.clients.workspace import Workspace, sign_up
from tallyroom.core.event_limits import MAX_EVENT_BYTES


@pytest.mark.long
def test_a_file_in_tallyrooms_own_shape(workspace: Workspace, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(1201))
    done = run(workspace, path)
    assert (numbers(done), done.stderr) == ((1201, 1201, 0, 0), b"")  # no bar where no terminal is
    assert counts(workspace) == Counter(event["_actor"] for event in events(1201))


@pytest.mark.long
def test_a_second_run_counts_nothing(workspace: Workspace, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(1201))
    assert numbers(run_here(workspace, path)) == (1201, 1201, 0, 0)
    assert numbers(run_here(workspace, path, "--at-once", 1)) == (1201, 0, 1201, 0)
    assert numbers(run_here(workspace, path.rename(tmp_path / "other.jsonl"))) == (1201, 0, 1201, 0)
    assert sum(counts(workspace).values()) == 1201


@pytest.mark.long
def test_another_file_with_the_same_rows_counts_them(workspace: Workspace, tmp_path: Path) -> None:
    first = ndjson(tmp_path / "monday.ndjson", [{"name": "tick", "_actor": "a"}] * 1000)
    longer = ndjson(tmp_path / "tuesday.ndjson", [{"name": "tick", "_actor": "a"}] * 1001)
    assert numbers(run_here(workspace, first)) == (1000, 1000, 0, 0)
    assert numbers(run_here(workspace, longer)) == (1001, 1001, 0, 0)
    assert counts(workspace) == {"a": 2001}


BAD_LINES = {
    3: ('{"name":""}', "name: is empty"),
    5: ("no json", "the line is not JSON: JSON is malformed: invalid character (byte 4)"),
    7: ('{"name":"x","color":"red"}', "color: is an unknown field"),
    8: ('{"name":"x","_timestamp":"yesterday","_actor":7}', "_timestamp: is not an ISO 8601 date-time; _actor: is not"),
    600: ('{"name":"x","properties":{"k":1,"k":2}}', "the row is not JSON: the key 'k' appears twice"),
    601: ('{"name":"x","properties":{"n":1e999}}', "the row is not JSON: the number 1e999 is beyond"),
    602: (json.dumps({"name": "x", "properties": {"t": "x" * 70_000}}), "the row is an event of 70"),
    700: ('{"name":"x","_timestamp":"2999-01-01T00:00:00Z"}', "_timestamp: is more than 24 hours ahead"),
    701: ("[1]", "the line is not a JSON object"),
}


@pytest.mark.long
def test_bad_rows_are_taken_out_and_told(workspace: Workspace, tmp_path: Path) -> None:
    lines = [json.dumps(event) for event in events(1001)]
    for line, (bad, _) in BAD_LINES.items():
        lines[line - 1] = bad
    (tmp_path / "events.ndjson").write_text("\n".join(lines))
    done = run_here(workspace, tmp_path / "events.ndjson", "--refused", tmp_path / "refused.ndjson", exits=1)
    assert numbers(done) == (1001, 1001 - len(BAD_LINES), 0, len(BAD_LINES))
    for line, (_, reason) in BAD_LINES.items():
        assert f"line {line}: {reason}" in done.stderr.decode()
    refused = [json.loads(line) for line in (tmp_path / "refused.ndjson").read_text().splitlines()]
    assert [row["line"] for row in refused] == list(BAD_LINES)
    assert refused[0]["row"] == {"name": ""}
    assert refused[1]["row"] == "no json"
    good = Counter(event["_actor"] for line, event in enumerate(events(1001), start=1) if line not in BAD_LINES)
    assert counts(workspace) == good
    # Repeat the password: the rest of each batch counted already.
    again = run_here(workspace, tmp_path / "events.ndjson", exits=1)
    assert numbers(again) == (1001, 0, 1001 - len(BAD_LINES), len(BAD_LINES))
    assert counts(workspace) == good


def test_many_refused_rows_are_not_all_shown(workspace: Workspace, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", [{"name": ""}] * 100)
    done = run_here(workspace, path, exits=1)
    assert numbers(done) == (100, 0, 0, 100)
    assert len(done.stderr.splitlines()) == 11
    assert done.stderr.decode().splitlines()[-1] == "and 90 more refused rows; --refused FILE writes them all"


def test_a_wrong_key_ends_it_at_once(workspace: Workspace, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(20_000))
    other = sign_up(workspace.url)
    other.key = other.key[:-1] + ("a" if other.key[-1] != "a" else "b")
    done = run_here(other, path, exits=1)
    one_sentence(done, "does not accept this API key (401)")
    assert done.stdout.endswith(b"\nThe import did not finish.\n")  # and nobody is told to repeat it
    assert numbers(done) == (0, 0, 0, 0)


def test_a_json_array_is_not_to_be_sent_again(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "events.json"
    path.write_text(json.dumps(events(2)))
    done = run_here(workspace, path, exits=1)
    assert done.stdout == (b"0 rows: 0 accepted, 0 already counted, 0 refused.\nThe import did not finish.\n")
    one_sentence(done, "The file is one JSON array; write one object per line")


def test_a_row_that_is_too_large_is_told_the_bound(workspace: Workspace, tmp_path: Path) -> None:
    row = {"name": "n", "properties": {"text": "x" * 1_000_000}}
    done = run_here(workspace, ndjson(tmp_path / "events.ndjson", [*events(1), row]), exits=1)
    assert numbers(done) == (2, 1, 0, 1)
    size = len(json.dumps(row, separators=(",", ":")))
    assert (
        done.stderr.decode()
        == f"line 2: the row is an event of {size} bytes; an event may have at most {MAX_EVENT_BYTES}\n"
    )


def test_no_key_and_no_server(workspace: Workspace, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(2))
    one_sentence(run_here(workspace, path, "--key", " ", exits=1), "No usable API key")
    done = run_here(workspace, path, "--url", "http://127.0.0.1:1", "--patience", 0.3, exits=1)
    one_sentence(done, "http://127.0.0.1:1 does not respond")
