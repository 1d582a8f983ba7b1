"""A store of an earlier commit gets property columns by itself, and they change no answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.servers.command import tallyroom
from harness.servers.server import Server
from harness.suite.patience import wait_until
from upgrade.asking import Question, ask, lost, questions
from upgrade.conftest import SQLITE, Copy
from upgrade.content import SPAN
from upgrade.outside import serving

ABOUT_EVENTS = ("/v1/widgets", "/v1/public", "/v1/events", "/v1/export", "/v1/actors", "/v1/groups")
PROPERTIES = ("amount", "path", "plan")
ORDERS: dict[str, Any] = {"event": "order.placed", "measure": "count"}
CONFIGS: list[dict[str, Any]] = [
    *({**ORDERS, "breakdown": key} for key in ("amount", "plan")),
    *({**ORDERS, "filters": [{"key": "plan", "op": op, "value": "pro"}]} for op in ("eq", "neq")),
    *({**ORDERS, "measure": measure, "property": "amount"} for measure in ("sum", "avg", "min", "max", "p95", "uniq")),
    {"event": "visit", "measure": "uniq_actors", "breakdown": "path", "overTime": True},
]
WAIT_SECONDS = 600
"""More than a restored or upgraded server needs, by the clock that the test sets, to look at its columns again."""


@contextmanager
def answering(copy: Copy, data: Path, **settings: Any) -> Iterator[tuple[Server, dict[str, Any]]]:
    """A server, and its answers to all questions about events."""
    asked = {name: each for name, each in questions(copy.facts["ids"]).items() if each.path.startswith(ABOUT_EVENTS)}
    for config in CONFIGS:
        asked[str(config)] = Question(
            "/v1/query", body={"environment": "production", "type": "metric", "config": config, **SPAN}
        )
    with serving(data, copy.clock, metrics_open="true", **settings) as server:
        yield server, {name: ask(server.url, copy.facts["secrets"], each) for name, each in asked.items()}
        assert server.stop() == 0


def assert_same(before: dict[str, Any], after: dict[str, Any]) -> None:
    changes = {name: [*lost(before[name], after[name]), *lost(after[name], before[name])] for name in before}
    assert {name: lines for name, lines in changes.items() if lines} == {}


def run(*words: str | Path) -> str:
    """What a command says that ends well."""
    done = tallyroom(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def count_columns(server: Server) -> int:
    lines = httpx.get(f"{server.url}/metrics").text.splitlines()
    return round(float(next(line.split()[-1] for line in lines if line.startswith("tallyroom_property_columns "))))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("on", [SQLITE], indirect=True, scope="module")
def test_columns_come_after_questions_and_change_no_answer(copy: Copy, tmp_path: Path) -> None:
    def report_later() -> str:
        """What the doctor says while the server has had time for its columns."""
        copy.clock.advance(WAIT_SECONDS)
        return run("doctor", "--quick", "--data", copy.data)

    with answering(copy, copy.data):
        wait_until(lambda: "left in which numbers" not in report_later())
    asked_ms = copy.clock.now_ms()
    with answering(copy, copy.data, property_columns="0") as (_, before):
        pass
    run("backup", tmp_path / "earlier backup", "--data", copy.data)
    with answering(copy, copy.data, property_column_min_bytes="1") as (server, answers):
        assert_same(before, answers)
        wait_until(lambda: report_later() and count_columns(server) >= len(PROPERTIES))
        wait_until(lambda: "not filled yet" not in report_later())
    copy.clock.set(asked_ms)
    with answering(copy, copy.data) as (server, answers):
        assert_same(before, answers)
        assert count_columns(server) >= len(PROPERTIES)
    report = run("doctor", "--data", copy.data)
    assert all(name in report for name in PROPERTIES), report
    run("backup", tmp_path / "backup", "--data", copy.data)
    for backup in ("earlier backup", "backup"):
        restored = tmp_path / f"restored from {backup}"
        run("restore", tmp_path / backup, "--data", restored, "--verify")
        with answering(copy, restored) as (_, answers):
            assert_same(before, answers)
        run("doctor", "--data", restored)
