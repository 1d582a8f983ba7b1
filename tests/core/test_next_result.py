"""A shared result is computed for all who asked before it began, and is never older than a request."""

import asyncio

import pytest

from tallyroom.core.next_result import NextResult


class Computation:
    """Notes the requests of each run; a run ends when the test lets it."""

    def __init__(self) -> None:
        self.runs: list[list[str]] = []
        self.may_end = asyncio.Event()
        self.error: Exception | None = None

    async def compute(self, requests: list[str]) -> str:
        self.runs.append(requests)
        await self.may_end.wait()
        if self.error is not None:
            raise self.error
        return "+".join(requests)


async def test_who_asks_at_the_same_time_shares_one_result() -> None:
    computation = Computation()
    result = NextResult(computation.compute)
    computation.may_end.set()
    assert await asyncio.gather(*(result.get(name) for name in "ab")) == ["a+b", "a+b"]
    assert (computation.runs, result.is_idle) == ([["a", "b"]], True)


async def test_who_asks_later_gets_a_result_that_began_later() -> None:
    computation = Computation()
    result = NextResult(computation.compute)
    first = asyncio.create_task(result.get("a"))
    await asyncio.sleep(0.01)
    later = [asyncio.create_task(result.get(name)) for name in "bc"]
    await asyncio.sleep(0.01)
    assert computation.runs == [["a"]]
    computation.may_end.set()
    assert await asyncio.gather(first, *later) == ["a", "b+c", "b+c"]


async def test_an_error_reaches_all_and_the_next_request_starts_again() -> None:
    computation = Computation()
    computation.may_end.set()
    computation.error = ValueError("no")
    result = NextResult(computation.compute)
    errors = await asyncio.gather(result.get("a"), result.get("b"), return_exceptions=True)
    assert [type(error) for error in errors] == [ValueError, ValueError]
    computation.error = None
    assert await result.get("c") == "c"


async def test_a_caller_who_leaves_takes_nothing_from_the_others() -> None:
    computation = Computation()
    result = NextResult(computation.compute)
    leaving, staying = (asyncio.create_task(result.get(name)) for name in "ab")
    await asyncio.sleep(0.01)
    leaving.cancel()
    computation.may_end.set()
    assert await staying == "a+b"
    with pytest.raises(asyncio.CancelledError):
        await leaving


async def test_a_computation_ends_when_all_callers_have_left() -> None:
    computation = Computation()
    result = NextResult(computation.compute)
    callers = [asyncio.create_task(result.get(name)) for name in "ab"]
    await asyncio.sleep(0.01)
    for caller in callers:
        caller.cancel()
    await asyncio.wait(callers)
    await asyncio.sleep(0.01)
    assert result.is_idle
    computation.may_end.set()
    assert await result.get("c") == "c"
