"""A widget's type and config: read by its kind, and kept without spaces and defaults."""

import msgspec
import pytest

from tallyroom.analytics.configs import MAX_STORED_BYTES, config_of, kind_of, stored
from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.kinds.heatmap import HEATMAP
from tallyroom.engine.registry import KINDS


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_is_found_by_its_name(name: str) -> None:
    assert kind_of(name) is KINDS[name]


@pytest.mark.parametrize("name", ["", "external", "Heatmap", "heatmap "])
def test_no_other_type_is_taken(name: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        kind_of(name)
    assert refused.value.details[0].path == ["type"]


def test_what_is_stored_and_what_is_sent_are_read_alike() -> None:
    text = msgspec.Raw(b'{ "event": "x", "filters": [], "timezone": null }')
    sent = {"event": "x", "filters": [], "timezone": None}
    assert config_of(HEATMAP, text) == config_of(HEATMAP, sent)
    assert stored(config_of(HEATMAP, sent), ["config"]) == '{"event":"x"}'


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        ({}, ["config", "event"]),
        ({"event": ""}, ["config", "event"]),
        ({"event": "x", "nonsense": 1}, ["config", "nonsense"]),
        ({"event": "x", "timezone": "Mars"}, ["config", "timezone"]),
        ({"event": "x", "filters": [{"key": "a", "op": "gt", "value": "b"}]}, ["config", "filters", 0, "value"]),
    ],
)
def test_a_refusal_names_the_field_within_the_request(sent: dict[str, object], path: list[str | int]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        config_of(HEATMAP, sent)
    assert refused.value.details[0].path == path


def test_what_is_stored_has_a_limit() -> None:
    most = "x" * (MAX_STORED_BYTES - 2)  # and two quotes
    assert stored(most, ["config"]) == f'"{most}"'
    with pytest.raises(ValidationFailed) as refused:
        stored(f"{most}x", ["config"])
    assert refused.value.details[0].path == ["config"]
