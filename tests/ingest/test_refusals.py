"""The newest first, a bounded number of them."""

from typing import Any

import msgspec

from tallyroom.core.errors import PlanLimit, ValidationFailed
from tallyroom.ingest.refusals import Refusals
from tallyroom.storage.limits.local import LocalNewestEntries


async def test_the_newest_comes_first_and_says_all(fake_clock: Any) -> None:
    kept = Refusals(LocalNewestEntries(100), fake_clock)
    kept.note("w1", ValidationFailed.at(["name"], "is required"), "r1")
    fake_clock.advance(1.5)
    kept.note("w1", PlanLimit("the cap is reached"), "r2")
    assert msgspec.to_builtins(await kept.list_recent("w1")) == [
        {
            "at": "2026-11-20T12:00:01.500Z",
            "status": 402,
            "error": "plan_limit",
            "message": "the cap is reached",
            "requestId": "r2",
        },
        {
            "at": "2026-11-20T12:00:00.000Z",
            "status": 400,
            "error": "validation_failed",
            "message": "name is required",
            "requestId": "r1",
        },
    ]


async def test_workspaces_do_not_see_each_other(fake_clock: Any) -> None:
    kept = Refusals(LocalNewestEntries(100), fake_clock)
    kept.note("w1", PlanLimit("full"), "r1")
    assert await kept.list_recent("w2") == []


async def test_only_the_last_ones_are_kept(fake_clock: Any) -> None:
    kept = Refusals(LocalNewestEntries(3), fake_clock)
    for number in range(5):
        kept.note("w1", PlanLimit("full"), f"r{number}")
    assert [refusal.request_id for refusal in await kept.list_recent("w1")] == ["r4", "r3", "r2"]


async def test_the_workspace_refused_longest_ago_is_forgotten(fake_clock: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("tallyroom.storage.limits.local._MAX_TOPICS", 2)
    kept = Refusals(LocalNewestEntries(100), fake_clock)
    for workspace in ("w1", "w2", "w1", "w3"):
        kept.note(workspace, PlanLimit("full"), "r")
    assert [len(await kept.list_recent(workspace)) for workspace in ("w1", "w2", "w3")] == [2, 0, 1]
