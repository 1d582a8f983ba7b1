"""`bots/component_ids.py`: what is left of an id."""

import pytest

from tallyroom_client.bots.component_ids import component_name


@pytest.mark.parametrize(
    ("custom_id", "name"),
    [
        ("close", "close"),
        ("ticket:close", "ticket"),
        ("ticket_close", "ticket"),
        ("poll4", "poll"),
        ("Open ticket:210000000000000001", "Open ticket"),
        ("210000000000000001", None),
        ("", None),
        ("0f3c9ab4d2e1f5a6b7c8d9e0f1a2b3c4", None),  # as discord.py makes them up
        ("abcdefabcdefabcdefabcdefabcdefab", None),
    ],
)
def test_a_component_is_named_by_what_does_not_vary(custom_id: str, name: str | None) -> None:
    assert component_name(custom_id) == name
