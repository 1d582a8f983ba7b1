"""The newest first, a bounded number of them."""

from typing import Any

import msgspec
import pytest

from tallyroom.core.errors import PlanLimit, ValidationFailed
from tallyroom.ingest.refusals import Refusals
from tallyroom.storage.limits.local import LocalNewestEntries


async def test_the_newest_comes_first_and_says_all(fake_clock: Any) -> None:
    kept = Refusals(LocalNewestEntries(100), fake_clock)
    kept.note("w1", ValidationFailed.at(["name"], "is required"), "r1")
    fake_clock.advance(1.5)
    kept.note("w1", PlanLimit("the cap is reached"), "r2", b"tallyroom-python/1.0.0")
    assert msgspec.to_builtins(await kept.list_recent("w1")) == [
        {
            "at": "2026-11-20T12:00:01.500Z",
            "status": 402,
            "error": "plan_limit",
            "message": "the cap is reached",
            "requestId": "r2",
            "userAgent": "tallyroom-python/1.0.0",
        },
        {
            "at": "2026-11-20T12:00:00.000Z",
            "status": 400,
            "error": "validation_failed",
            "message": "name is required",
            "requestId": "r1",
            "userAgent": None,
        },
    ]


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        (b"", None),
        (b" \t ", None),
        (b"a\x1b[31mb\x00c", "a [31mb c"),
        ("Z\u00fcrich \u202egnp.exe".encode(), "Z\u00fcrich  gnp.exe"),
        (b"\xff", "\ufffd"),
        (b"x" * 5_000, "x" * 200),
    ],
)
async def test_a_user_agent_is_shown_without_what_nobody_sees(
    fake_clock: Any, header: bytes, shown: str | None
) -> None:
    kept = Refusals(LocalNewestEntries(100), fake_clock)
    kept.note("w1", PlanLimit("full"), "r1", header)
    assert [refusal.user_agent for refusal in await kept.list_recent("w1")] == [shown]


async def test_a_refusal_of_an_earlier_version_has_no_user_agent(fake_clock: Any) -> None:
    entries = LocalNewestEntries(100)
    entries.add("w1", b'{"at":"","status":402,"error":"plan_limit","message":"full","requestId":"r1"}')
    assert [refusal.user_agent for refusal in await Refusals(entries, fake_clock).list_recent("w1")] == [None]


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
