"""A number of an answer is named by the fields that the answer has, within their limits."""

from typing import Any

import msgspec
import pytest

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.data_point import DataPoint, check_data_point, data_point_refusal


def data_point(**fields: Any) -> DataPoint:
    return msgspec.convert(fields, DataPoint)


@pytest.mark.parametrize(
    "fields", [{}, {"step": 1, "outcome": "reached"}, {"item": 0}, {"cell": [0, 0]}, {"cell": [6, 23]}, {"label": None}]
)
def test_fields_within_their_limits(fields: dict[str, Any]) -> None:
    data_point(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"step": 0},
        {"outcome": "left"},
        {"item": -1},
        {"bucket": -1},
        {"cell": [7, 0]},
        {"cell": [0, 24]},
        {"cell": [0]},
    ],
)
def test_other_fields_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        data_point(**fields)


def test_a_spot_has_one_of_the_forms() -> None:
    forms = [("label",), ("label", "t")]
    check_data_point(data_point(label=None), *forms)
    check_data_point(data_point(label="a", t="now"), *forms)
    for fields in ({}, {"t": "now"}, {"label": "a", "item": 0}):
        with pytest.raises(ValidationFailed) as refused:
            check_data_point(data_point(**fields), *forms)
        [detail] = refused.value.details
        assert detail.path == ["at"]
        assert detail.message == 'must be {"label"} or {"label", "t"} for this answer'


def test_the_refusal_of_a_number_that_is_not_there_names_its_field() -> None:
    [detail] = data_point_refusal("item", "is too large").details
    assert (detail.path, detail.message) == (["at", "item"], "is too large")
