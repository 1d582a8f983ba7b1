"""Annotations: marks on the charts of an environment (rules/boards#annotation, rules/boards#annotation-key)."""

import re
from functools import partial
from typing import Any

import pytest

from harness.clients.at_once import at_once
from harness.clients.dashboards import make_annotation
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

FIELDS = ["id", "environment", "label", "description", "color", "time", "timeEnd", "createdAt", "key"]
TIME = "2026-11-20T12:00:00.000Z"
BODY = {"environment": "production", "label": "v1", "time": TIME}
EVERYTHING = {
    "environment": "development",
    "label": "Freeze",
    "description": "No deploys,\nplease",
    "color": "#a1B2c3",
    "time": "2026-12-24T00:00:00.000Z",
    "timeEnd": "2026-12-26T23:59:59.999Z",
}


def listed(workspace: Workspace, environment: str = "production", **params: str) -> Any:
    answer = workspace.get("/v1/annotations", environment=environment, **params)
    assert answer.status_code == 200, answer.text
    assert list(answer.json()) == ["annotations"]
    return answer.json()["annotations"]


def patch(workspace: Workspace, annotation_id: str, body: Any) -> Any:
    with workspace.client() as client:
        answer = client.patch(f"/v1/annotations/{annotation_id}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_environment_label_and_time_are_enough(workspace: Workspace) -> None:
    made = make_annotation(workspace, **BODY)
    assert list(made) == FIELDS
    assert made == BODY | {
        "id": made["id"],
        "description": None,
        "color": made["color"],
        "timeEnd": None,
        "createdAt": made["createdAt"],
        "key": None,
    }
    assert re.fullmatch(r"#[0-9A-F]{6}", made["color"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", made["createdAt"])
    assert listed(workspace) == [made]


def test_every_field_is_kept(workspace: Workspace) -> None:
    made = make_annotation(workspace, **EVERYTHING)
    assert {field: made[field] for field in EVERYTHING} == EVERYTHING
    assert listed(workspace, "development") == [made]
    assert listed(workspace) == []


FITS: list[tuple[str, Any, Any]] = [
    *[("label", value, value) for value in ("a", "x" * 120, "🗺" * 120)],
    *[("description", value, value) for value in (None, "", "x" * 500, "🗺" * 500, "two\nlines")],
    *[("color", value, value) for value in ("#000000", "#ffffff", "#A0b1C2")],
    ("time", "2026-11-20T12:00:00Z", TIME),
    ("time", "2026-11-20T13:00:00.0009+01:00", TIME),
    ("time", "2026-11-20 12:00", TIME),
    ("time", "20261120T120000", TIME),
    ("time", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
    ("time", "2100-01-01T00:00:00Z", "2100-01-01T00:00:00.000Z"),
    ("timeEnd", None, None),
    ("timeEnd", TIME, TIME),
    ("timeEnd", "2026-11-20T12:00:00.001Z", "2026-11-20T12:00:00.001Z"),
    ("timeEnd", "2100-01-01T00:00:00Z", "2100-01-01T00:00:00.000Z"),
]


@few(4, ("field", "value", "kept"), FITS)
def test_what_a_field_takes(shared: Workspace, field: str, value: Any, kept: Any) -> None:
    assert make_annotation(shared, **(BODY | {field: value}))[field] == kept
    before = make_annotation(shared, **BODY)
    after = patch(shared, before["id"], {field: value})
    assert after == before | {field: kept}
    assert after in listed(shared)


WRONG: list[tuple[Any, list[Any]]] = [
    *[({"label": value}, ["label"]) for value in (None, "", " ", "x" * 121, 1, [], "a\n", "a\0")],
    *[({"description": value}, ["description"]) for value in ("x" * 501, 1, [], "a\0")],
    *[
        ({"color": value}, ["color"])
        for value in (None, "", "#fff", "000000", "#00000", "#0000000", "#00000g", "#000000\n", "red", 0)
    ],
    *[
        ({field: value}, [field])
        for field in ("time", "timeEnd")
        for value in (
            "",
            "now",
            "2026-11-20",
            "2026-13-01T00:00:00Z",
            "2026-11-20T24:00:00Z",
            "2026-11-20T12:00:60Z",
            "1969-12-31T23:59:59.999Z",
            "2100-01-01T00:00:00.001Z",
            1_795_176_000_000,
            [],
        )
    ],
    ({"time": None}, ["time"]),
    ({"timeEnd": "2026-11-20T11:59:59.999Z"}, ["timeEnd"]),
    ({"time": TIME, "timeEnd": "2026-11-20T12:30:00+01:00"}, ["timeEnd"]),
    *[({field: "x"}, [field]) for field in ("id", "createdAt", "workspaceId", "time_end", "dashboardId", "colour")],
]


@pytest.fixture(scope="module")
def quiet(server: Server) -> Workspace:
    """A workspace with one annotation, in which everything is refused."""
    workspace = sign_up(server.url)
    make_annotation(workspace, **BODY)
    return workspace


@few(3, ("wrong", "path"), WRONG)
def test_what_is_refused_makes_and_changes_nothing(quiet: Workspace, wrong: Any, path: list[Any]) -> None:
    before = listed(quiet)
    [annotation] = before
    with quiet.client() as client:
        for answer in (
            client.post("/v1/annotations", json=BODY | wrong),
            client.patch(f"/v1/annotations/{annotation['id']}", json={"label": "New"} | wrong),
        ):
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
    assert listed(quiet) == before


@pytest.mark.parametrize("environment", [None, "", "staging", "Production", 1, [], "a\0"])
def test_a_wrong_environment_makes_nothing(shared: Workspace, environment: Any) -> None:
    before = listed(shared)
    with shared.client() as client:
        refusal = check_refusal(client.post("/v1/annotations", json=BODY | {"environment": environment}), 400)
    assert [detail["path"] for detail in refusal["details"]] == [["environment"]]
    assert listed(shared) == before


@pytest.mark.parametrize("missing", list(BODY))
def test_what_is_required(shared: Workspace, missing: str) -> None:
    with shared.client() as client:
        body = {name: value for name, value in BODY.items() if name != missing}
        refusal = check_refusal(client.post("/v1/annotations", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[missing]]


def test_the_environment_is_fixed(shared: Workspace) -> None:
    annotation = make_annotation(shared)
    with shared.client() as client:
        for environment in ("production", "development"):
            answer = client.patch(f"/v1/annotations/{annotation['id']}", json={"environment": environment})
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [["environment"]]


def test_null_clears_and_absent_stays(workspace: Workspace) -> None:
    made = make_annotation(workspace, **EVERYTHING)
    assert patch(workspace, made["id"], {}) == made
    assert patch(workspace, made["id"], {"description": None}) == made | {"description": None}
    assert patch(workspace, made["id"], {"timeEnd": None}) == made | {"description": None, "timeEnd": None}


def test_the_end_is_never_before_the_beginning(workspace: Workspace) -> None:
    made = make_annotation(workspace, **EVERYTHING)
    later, earlier = "2027-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"
    with workspace.client() as client:
        for body, path in (
            ({"time": later}, ["time"]),
            ({"timeEnd": earlier}, ["timeEnd"]),
            ({"time": later, "timeEnd": earlier}, ["timeEnd"]),
        ):
            refusal = check_refusal(client.patch(f"/v1/annotations/{made['id']}", json=body), 400)
            assert [detail["path"] for detail in refusal["details"]] == [path]
    assert listed(workspace, "development") == [made]
    assert patch(workspace, made["id"], {"time": later, "timeEnd": later})["timeEnd"] == later
    assert patch(workspace, made["id"], {"time": "2028-01-01T00:00:00Z", "timeEnd": None})["timeEnd"] is None


def at(day: int) -> str:
    return f"2026-11-{day:02}T00:00:00.000Z"


def test_the_list_is_by_time_and_of_a_span(workspace: Workspace) -> None:
    for label, day, end in (("c", 20, None), ("a", 5, 10), ("d", 25, 28), ("b", 10, None)):
        make_annotation(workspace, label=label, time=at(day), timeEnd=end and at(end))

    def labels(**params: str) -> str:
        return "".join(row["label"] for row in listed(workspace, **params))

    assert labels() == "abcd"
    time_ranges = {
        ("2026-11-10", "2026-11-20"): "ab",  # from is inside, to is not; a stretch that touches the time range is in it
        ("2026-11-10T00:00:00.001Z", "2026-11-20T00:00:00.001Z"): "c",
        ("2026-11-06", "2026-11-07"): "a",
        ("2026-11-11", "2026-11-20"): "",
        ("2026-11-26", "2026-11-27"): "d",
        ("2020-01-01", "2099-01-01"): "abcd",
    }
    assert {
        time_range: labels(**{"from": time_range[0], "to": time_range[1]}) for time_range in time_ranges
    } == time_ranges
    assert labels(**{"from": "2026-11-20T01:00:00+01:00"}) == "cd"
    assert labels(to="2026-11-10") == "a"


@few(
    4,
    ("query", "path"),
    [
        ("", ["environment"]),
        ("environment=staging", ["environment"]),
        ("environment=", ["environment"]),
        ("environment=production&from=yesterday", ["from"]),
        ("environment=production&to=2026-13-01", ["to"]),
        ("environment=production&from=2026-11-20&to=2026-11-20", ["to"]),
        ("environment=production&from=2026-11-20&to=2026-11-19", ["to"]),
        ("environment=production&from=2026-11-20T00:00:00+01:00", ["from"]),  # the + is a space here
        ("environment=production&limit=5", ["limit"]),
        ("environment=production&From=2026-11-20", ["From"]),
    ],
)
def test_a_wrong_parameter_is_400_by_name(shared: Workspace, query: str, path: list[str]) -> None:
    with shared.client() as client:
        refusal = check_refusal(client.get(f"/v1/annotations?{query}"), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]


def test_it_is_deleted(workspace: Workspace) -> None:
    made = [make_annotation(workspace) for _ in range(2)]
    path = f"/v1/annotations/{made[0]['id']}"
    with workspace.client() as client:
        answer = client.delete(path)
        assert (answer.status_code, answer.content) == (204, b"")
        check_refusal(client.delete(path), 404)
        check_refusal(client.patch(path, json={}), 404)
    assert listed(workspace) == made[1:]


def test_another_workspaces_annotation_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    annotation = make_annotation(stranger)
    bodies = set()
    with workspace.client() as client:
        for name in (annotation["id"], "019aa0b0-0000-7000-8000-000000000000", "nonsense", "%00", "a" * 5000):
            for answer in (
                client.patch(f"/v1/annotations/{name}", json={"label": "Mine"}),
                client.delete(f"/v1/annotations/{name}"),
            ):
                bodies.add(check_refusal(answer, 404)["message"])
    assert len(bodies) == 1
    assert listed(stranger) == [annotation]
    assert listed(workspace) == []


def put(workspace: Workspace, status: int, **fields: Any) -> Any:
    with workspace.client() as client:
        answer = client.post("/v1/annotations", json=BODY | fields)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_known_key_replaces_everything_but_the_id(workspace: Workspace) -> None:
    full = EVERYTHING | {"environment": "production", "key": "deploy-17"}
    first = put(workspace, 201, **full)
    assert first == full | {"id": first["id"], "createdAt": first["createdAt"]}
    assert put(workspace, 200, **full) == first  # a job that is run again
    second = put(workspace, 200, key="deploy-17", label="v2")
    assert second == first | BODY | {
        "label": "v2",
        "description": None,
        "timeEnd": None,
        "color": make_annotation(workspace)["color"],
    }
    assert [each for each in listed(workspace) if each["key"]] == [second]


def test_a_key_is_known_in_its_environment_only(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    made = [
        put(workspace, 201, key="k"),
        put(workspace, 201, key="k", environment="development"),
        put(workspace, 201, key="K"),
        put(workspace, 201, key=None),
        put(workspace, 201),
        put(stranger, 201, key="k"),
    ]
    assert len({each["id"] for each in made}) == 6
    put(workspace, 200, key="k", label="changed")
    assert sorted(each["label"] for each in listed(workspace)) == ["changed", "v1", "v1", "v1"]
    assert [each["label"] for each in listed(workspace, "development") + listed(stranger)] == ["v1", "v1"]


def test_a_key_is_free_again_once_its_annotation_is_deleted(workspace: Workspace) -> None:
    first = put(workspace, 201, key="k")
    with workspace.client() as client:
        assert client.delete(f"/v1/annotations/{first['id']}").status_code == 204
    assert put(workspace, 201, key="k")["id"] != first["id"]


@pytest.mark.parametrize("key", ["k", "x" * 128, "🗝" * 128, "deploy/17 (main)", "'; --"])
def test_what_a_key_may_be(shared: Workspace, key: str) -> None:
    first = put(shared, 201, key=key)
    assert (first["key"], put(shared, 200, key=key)["id"]) == (key, first["id"])
    assert patch(shared, first["id"], {"label": "New"})["key"] == key


@pytest.mark.parametrize("key", ["", " ", "x" * 129, "a\n", "a\0", 17, ["k"]])
def test_what_a_key_may_not_be(quiet: Workspace, key: Any) -> None:
    before = listed(quiet)
    with quiet.client() as client:
        refusal = check_refusal(client.post("/v1/annotations", json=BODY | {"key": key}), 400)
        assert [detail["path"] for detail in refusal["details"]] == [["key"]]
        refusal = check_refusal(client.patch(f"/v1/annotations/{before[0]['id']}", json={"key": "k"}), 400)
        assert [detail["path"] for detail in refusal["details"]] == [["key"]]
    assert listed(quiet) == before


def test_a_wrong_update_changes_nothing(workspace: Workspace) -> None:
    first = put(workspace, 201, key="k")
    for wrong in ({"label": ""}, {"time": "now"}, {"timeEnd": "2020-01-01T00:00:00Z"}, {"color": "red"}):
        put(workspace, 400, key="k", **wrong)
    assert listed(workspace) == [first]


def test_one_key_at_once_makes_one_annotation(workspace: Workspace) -> None:
    with workspace.client() as client:
        statuses = at_once(*(partial(client.post, "/v1/annotations", json=BODY | {"key": "k"}) for _ in range(8)))
    assert statuses == [200] * 7 + [201]
    assert len(listed(workspace)) == 1
