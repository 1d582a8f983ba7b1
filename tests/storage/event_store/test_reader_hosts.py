"""Work that no one watches waits for the events of all workers, also of other hosts (rules/questions#fresh-answers)."""

from harness.servers.one_of_several import SCOPE, Several
from harness.suite.patience import PATIENCE
from tallyroom.ingest.validation.event import Event


async def test_events_that_wait_in_the_spool_of_another_host_are_waited_for(several: Several) -> None:
    async with several.opened("a") as one, several.opened("b") as other:
        now_ms = other.clock.now_ms()
        with other.drain.held(PATIENCE):
            await other.acceptor.accept(SCOPE, "paid", [Event("opened", "ann", "", "", now_ms, b"{}")], now_ms, None)
            assert await one.reader.catch_up(0)
            assert not await one.reader.catch_up_with_all_hosts(3)
        assert await one.reader.catch_up_with_all_hosts(PATIENCE)


async def test_a_worker_that_has_ended_is_not_waited_for(several: Several) -> None:
    await several.once("b")
    async with several.opened("a") as one:
        assert await one.reader.catch_up_with_all_hosts(PATIENCE)
