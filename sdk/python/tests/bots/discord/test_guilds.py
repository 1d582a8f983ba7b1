"""`discord/guilds.py` with a library's own dispatch."""

from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene

OTHER = payloads.GUILD + 1
MANY = 2000


async def test_joins_and_leaves_have_the_guild_as_actor(scene: Scene) -> None:
    scene.attach(labels=True)
    scene.gateway.receive("guild_create", payloads.guild(OTHER, "Coffee House"))
    scene.gateway.receive("guild_delete", {"id": str(OTHER)})
    await scene.gateway.settle()
    assert scene.tracker.names() == ["guild_join", "guild_leave"]
    join, leave = scene.tracker.events
    assert (join.actor, join.label) == (str(OTHER), "Coffee House")
    assert join.properties == {
        "guild_id": str(OTHER),
        "guild_name": "Coffee House",
        "member_count": 42,
        "guilds": 2,
        "locale": "de",
    }
    assert leave.properties == {
        "guild_id": str(OTHER),
        "guild_name": "Coffee House",
        "member_count": 42,
        "guilds": 1,
    }


async def test_an_outage_of_2000_guilds_is_no_leave_and_no_join(scene: Scene) -> None:
    guild_ids = range(OTHER, OTHER + MANY)
    for guild_id in guild_ids:
        scene.gateway.receive("guild_create", payloads.guild(guild_id, unavailable=False))
    scene.attach()
    for guild_id in guild_ids:
        scene.gateway.receive("guild_delete", {"id": str(guild_id), "unavailable": True})
    for guild_id in guild_ids[: MANY // 2]:
        scene.gateway.receive("guild_create", payloads.guild(guild_id, unavailable=False))
    for guild_id in guild_ids[MANY // 2 :]:
        scene.gateway.receive("guild_create", payloads.guild(guild_id))  # which libraries report as a join
    await scene.gateway.settle()
    assert scene.tracker.events == []


async def test_a_guild_that_removes_the_bot_in_an_outage_has_left_and_may_join_again(scene: Scene) -> None:
    scene.attach()
    scene.gateway.receive("guild_delete", {"id": str(payloads.GUILD), "unavailable": True})
    scene.gateway.receive("guild_delete", {"id": str(payloads.GUILD)})
    scene.gateway.receive("guild_create", payloads.guild())
    assert scene.tracker.names() == ["guild_leave", "guild_join"]
