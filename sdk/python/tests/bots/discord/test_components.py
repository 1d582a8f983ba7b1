"""`discord/components.py` with a library's own dispatch."""

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (payloads.component("ticket:123456"), "button"),
        (payloads.component("ticket_998", 3), "select"),
        (payloads.modal("ticket4"), "modal"),
    ],
)
async def test_a_component_is_named_without_what_varies(scene: Scene, payload: dict[str, object], kind: str) -> None:
    scene.attach()
    scene.gateway.receive("interaction_create", payload)
    await scene.gateway.settle()
    event = scene.tracker.only("component_used")
    assert event.actor == str(payloads.USER)
    assert event.properties == {
        "custom_id": "ticket",
        "kind": kind,
        "guild_id": str(payloads.GUILD),
        "guild_name": "Tea House",
    }


async def test_a_bot_may_name_its_components_itself(scene: Scene) -> None:
    scene.attach(component=lambda custom_id: custom_id.rpartition(":")[2])
    scene.gateway.receive("interaction_create", payloads.component("poll:1234:yes"))
    assert scene.tracker.only("component_used").properties["custom_id"] == "yes"
