"""The time range of a request, given by `timeRange` or by `from` and `to` (rules/questions#window)."""

from typing import Annotated, get_args

from litestar.params import QueryParameter
from msgspec import UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import DEFAULT_RANGE, END_MS, FIRST_MS, CalendarRange, FixedRange, RollingRange, TimeRange
from tallyroom.core.suggestions import must_be_one_of
from tallyroom.rest.parameters import parse_time_ms

RANGE_NAMES: tuple[RollingRange | CalendarRange, ...] = (*get_args(RollingRange), *get_args(CalendarRange))

RangeParameter = Annotated[
    str | None,
    QueryParameter(
        name="timeRange",
        description="A time range that ends now, or a calendar period.",
        schema_extra={"enum": list(RANGE_NAMES)},
    ),
]
FromParameter = Annotated[
    str | None, QueryParameter(name="from", description="Instead of `timeRange`: the start, in ISO 8601.")
]
ToParameter = Annotated[
    str | None, QueryParameter(name="to", description="Instead of `timeRange`: the end, exclusive, in ISO 8601.")
]


def provide_time_range(
    range_name: RangeParameter = None, from_: FromParameter = None, to: ToParameter = None
) -> TimeRange:
    """Provide the dependency `time_range` of a list; the default is the last seven days. Raises `ValidationFailed`."""
    return resolve_time_range(parse_range_name(range_name), from_, to, DEFAULT_RANGE)


def provide_required_range(
    range_name: RangeParameter = None, from_: FromParameter = None, to: ToParameter = None
) -> TimeRange:
    """Provide the dependency `time_range` of a list that requires one; raises `ValidationFailed`."""
    return resolve_time_range(parse_range_name(range_name), from_, to)


def parse_range_name(text: str | None) -> RollingRange | CalendarRange | None:
    """Return the range named by the parameter `timeRange`; None if absent. Raises `ValidationFailed` if unknown."""
    if text is None:
        return None
    range_name = next((name for name in RANGE_NAMES if name == text), None)
    if range_name is None:
        raise ValidationFailed.at(["timeRange"], must_be_one_of(RANGE_NAMES, text))
    return range_name


def resolve_time_range(
    range_name: RollingRange | CalendarRange | UnsetType | None,
    from_: str | UnsetType | None,
    to: str | UnsetType | None,
    default_range: RollingRange | CalendarRange | None = None,
) -> TimeRange:
    """Return the time range of a request, required without `default_range`; raises `ValidationFailed`."""
    if not from_ and not to:
        time_range = range_name or default_range
        if time_range:
            return time_range
        raise ValidationFailed.at(["timeRange"], "is required unless from and to are given")
    if range_name:
        raise ValidationFailed.at(["timeRange"], "cannot be combined with from and to")
    if not from_ or not to:
        raise ValidationFailed.at(["to" if from_ else "from"], f"is required with {'from' if from_ else 'to'}")
    return FixedRange(*_check_bounds(parse_time_ms("from", from_), parse_time_ms("to", to)))


def _check_bounds(from_ms: int, to_ms: int) -> tuple[int, int]:
    for name, bound_ms in (("from", from_ms), ("to", to_ms)):
        if not FIRST_MS <= bound_ms <= END_MS:
            raise ValidationFailed.at([name], "must be from 1970-01-01 to 2100-01-01")
    if to_ms <= from_ms:
        raise ValidationFailed.at(["to"], "must be after from")
    return from_ms, to_ms
