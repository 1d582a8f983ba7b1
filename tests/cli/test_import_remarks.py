"""What `tallyroom import events` says in the end of rows that charts will not show, or show elsewhere."""

import json
from pathlib import Path

import pytest

from harness.builders.moments import ago
from harness.clients.import_command import ndjson, numbers, run_here
from harness.clients.workspace import Workspace
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer

OLD = "Older than 90 days: {}. Lists and charts show recent days unless you choose a time range: "


def remarks(workspace: Workspace, path: Path, *options: object, exits: int = 0) -> str:
    done = run_here(workspace, path, *options, exits=exits)
    return done.stdout.decode().partition("\n")[2]


def test_rows_beyond_the_reach_of_charts_are_told(workspace: Workspace, tmp_path: Path) -> None:
    times = [ago(days=89), ago(days=91), ago(days=400), "2001-02-03T04:05:06+07:00"]
    path = ndjson(tmp_path / "e.ndjson", [{"name": "e", "_timestamp": time} for time in times] + [{"name": "e"}])
    said = remarks(workspace, path)
    assert said.startswith(OLD.format("3 rows"))
    assert remarks(workspace, path) == said  # rows that counted before are as old
    with (tmp_path / "e.csv").open("w") as file:
        file.write("name,day\na,2001-02-03\nb,2002-02-03\n,2001-02-03\n")
    assert remarks(workspace, tmp_path / "e.csv", "--timestamp", "day", exits=1).startswith(OLD.format("2 rows"))


@pytest.mark.long
def test_where_rows_of_any_age_count_is_true(workspace: Workspace, tmp_path: Path) -> None:
    """Each place that the sentence names, and the ones that it says are out of reach."""
    events = [
        {"name": "e", "_actor": "a", "_actorLabel": "Ann", "_timestamp": ago(days=100)},
        {"name": "e", "_actor": "b", "_timestamp": ago(days=1)},
    ]
    assert OLD.format("1 row") in remarks(workspace, ndjson(tmp_path / "e.ndjson", events))
    asked = {"environment": "production", "timeRange": "90d"}
    with workspace.client() as client:

        def ask(kind: str, config: dict[str, object]) -> dict[str, object]:
            answer = client.post("/v1/query", json=asked | {"type": kind, "config": config})
            assert answer.status_code == 200, answer.text
            found: dict[str, object] = answer.json()
            return found

        assert len(client.get("/v1/export").content.splitlines()) == 2  # it waits for the event store
        counter = ask("metric", {"event": "e", "measure": "count"})
        assert (counter["value"], counter["previous"]) == (1, 1)
        retention = ask("retention", {"cohortEvent": "e", "granularity": "month", "periods": 12})
        assert sum(cohort["size"] for cohort in retention["cohorts"]) == 2  # type: ignore[attr-defined] # JSON
        for path, what in (("/v1/events", "events"), ("/v1/actors", "actors")):
            assert len(client.get(path, params=asked).json()[what]) == 1
            assert len(client.get(path, params=asked | {"timeRange": "all"}).json()[what]) == 2
        client.post(
            "/v1/events", headers={"authorization": f"Bearer {workspace.key}"}, json={"name": "e", "_actor": "a"}
        )
        assert len(client.get("/v1/export").content.splitlines()) == 3
        labels = {actor["actorKey"]: actor["label"] for actor in client.get("/v1/actors").json()["actors"]}
        assert labels == {"a": "Ann", "b": None}


def test_the_time_zone_of_the_charts_is_told_when_it_is_another(workspace: Workspace, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "e.ndjson", [{"name": "e"}])
    told = (
        "Charts in this workspace count days in UTC, not in Europe/Berlin. To change that for all of them: "
        'PATCH /v1/workspace {"timezone":"Europe/Berlin"}.\n'
    )
    assert remarks(workspace, path, "--timezone", "Europe/Berlin") == told
    assert remarks(workspace, path, "--timezone", "Europe/Berlin", "--id", "name", "--state", tmp_path / "ids") == told
    assert remarks(workspace, path, "--timezone", "UTC") == ""
    with workspace.client() as client:
        assert client.patch("/v1/workspace", json={"timezone": "Europe/Berlin"}).status_code == 200
    assert remarks(workspace, path, "--timezone", "Europe/Berlin") == ""


def test_times_taken_for_utc_are_told_where_charts_have_another_zone(workspace: Workspace, tmp_path: Path) -> None:
    bare, day = ago(days=1).removesuffix("Z"), ago(days=1)[:10]
    lines = ndjson(tmp_path / "e.ndjson", [{"name": "e", "_timestamp": time} for time in (bare, ago(days=1))])
    table = tmp_path / "e.csv"
    table.write_text(f"name,at\na,{day}\nb,{bare}\nc,{ago(days=1)}\nd,\n")
    csv = (table, "--timestamp", "at")
    assert (remarks(workspace, lines), remarks(workspace, *csv)) == ("", "")
    with workspace.client() as client:
        assert client.patch("/v1/workspace", json={"timezone": "Europe/Berlin"}).status_code == 200
    told = (
        "Times without a time zone: {}. They are read as UTC, because --timezone is not set. "
        "Charts in this workspace count days in Europe/Berlin.\n"
    )
    assert remarks(workspace, lines) == told.format("1 row")
    assert remarks(workspace, *csv) == told.format("2 rows")
    assert remarks(workspace, *csv, "--timezone", "Europe/Berlin") == ""
    assert remarks(workspace, ndjson(lines, [{"name": "e", "_timestamp": ago(days=1)}, {"name": "e"}])) == ""


@pytest.mark.long
def test_cells_of_columns_without_a_name_are_told(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    path.write_text(",name, total ,\n0,a,.50,\n1,b,-.50,\n2,c,+5.00,x\n")
    assert remarks(workspace, path) == (
        "Ignored, because the header has no name for it: column 1 with 3 non-empty cells, "
        "column 4 with 1 non-empty cell.\n"
    )
    lines = workspace.get("/v1/export").content.splitlines()
    assert [json.loads(line)["properties"] for line in lines] == [{"total": 0.5}, {"total": -0.5}, {"total": 5}]


@pytest.mark.parametrize(
    "told", [ScriptedAnswer(404), ScriptedAnswer(503), ScriptedAnswer(200, b"no json"), ScriptedAnswer(0)]
)
def test_a_server_that_does_not_tell_its_time_zone(workspace: Workspace, tmp_path: Path, told: ScriptedAnswer) -> None:
    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        return told if asked.path == "/v1/key" else ScriptedAnswer(202, b'{"accepted":1}')

    path = ndjson(tmp_path / "e.ndjson", [{"name": "e"}])
    with ScriptedServer(answer) as scripted:
        said = remarks(workspace, path, "--timezone", "Asia/Tokyo", "--url", scripted.url)
    assert said == (
        "Charts count days in the time zone of the workspace, which may not be Asia/Tokyo: see GET /v1/workspace.\n"
    )


def test_without_anything_to_say_there_are_only_numbers(workspace: Workspace, tmp_path: Path) -> None:
    done = run_here(workspace, ndjson(tmp_path / "e.ndjson", [{"name": "e"}]))
    assert (numbers(done), done.stdout.count(b"\n")) == ((1, 1, 0, 0), 1)
