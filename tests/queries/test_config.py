"""How a widget may be shown, within its limits, and what a public page knows of it."""

from typing import Any

import msgspec
import pytest

from tallyroom.queries.config import Config, DisplayOptions, display_of


@pytest.mark.parametrize(
    "shown", [{"decimals": 0}, {"decimals": 10}, {"unit": "%"}, {"unit": "u" * 20}, {"colors": {"v" * 256: 1, "": 8}}]
)
def test_options_within_their_limits(shown: dict[str, Any]) -> None:
    assert msgspec.to_builtins(msgspec.convert(shown, DisplayOptions)) == shown


@pytest.mark.parametrize(
    "shown",
    [{"decimals": -1}, {"decimals": 11}, {"unit": ""}, {"unit": "u" * 21}, {"chart": "donut"}, {"color": "red"}],
)
def test_other_options_are_refused(shown: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(shown, DisplayOptions)


@pytest.mark.parametrize(
    ("shown", "chart"), [(None, "line"), (DisplayOptions(), "line"), (DisplayOptions(chart="bar"), "bar")]
)
def test_only_an_option_that_is_given_takes_precedence(shown: DisplayOptions | None, chart: str) -> None:
    assert display_of(Config(display=shown), chart="line").chart == chart


def test_a_public_page_knows_every_option_except_the_colors() -> None:
    options = DisplayOptions(chart="bar", unit="%", colors={"somebody": 1})
    shown = msgspec.to_builtins(display_of(Config(display=options)))
    assert shown == {"chart": "bar", "unit": "%"}
