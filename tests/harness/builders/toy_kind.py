"""A kind of widget that the product does not have: `pulse`, the number of actors in the time range.

It is what somebody writes who adds a kind: a question, a picture, a part of a mail, and the kind itself.
"""

from collections.abc import Collection

import msgspec

from tallyroom.dashboards.chart_parts import PictureSettings
from tallyroom.dashboards.kind import Kind, as_number
from tallyroom.dashboards.mail.contents import BigNumber, MailContent, MailWidget
from tallyroom.dashboards.mail.numbers import format_full
from tallyroom.dashboards.outline import Outline
from tallyroom.images.charts.number_chart import NumberChart, ShownNumber, numbers_height
from tallyroom.queries.config import Result, display_of
from tallyroom.queries.data_point import DataPoint, check_data_point
from tallyroom.queries.event_choice import EventsConfig, check_event_choice, event_conditions, event_title
from tallyroom.queries.evidence import AT_MS, EvidenceQuery
from tallyroom.queries.kind import Path
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where
from tallyroom.queries.question import Question


class PulseConfig(EventsConfig, frozen=True, kw_only=True, rename="camel"):
    """Whose pulse."""


class Pulse(Result, tag="pulse", kw_only=True):
    """How many actors had the event; the public sees tens."""

    actors: int


class _Row(msgspec.Struct):
    actors: int


def check_config(config: PulseConfig, path: Path) -> None:
    """Refuse no events, and two choices of them."""
    check_event_choice(config, path)


def build_query_plan(config: PulseConfig, question: Question) -> QueryPlan[Pulse]:
    """Count in one query."""
    parameters = QueryParameters()
    where = _where(config, question, parameters)
    [row] = yield from query_rows(f"SELECT uniqExact(actor) AS actors\nFROM events\n{where}", parameters, _Row)
    return Pulse(actors=row.actors)


def find_evidence_query(config: PulseConfig, question: Question, data_point: DataPoint) -> QueryPlan[EvidenceQuery]:
    """Find the events behind the number."""
    yield from ()
    check_data_point(data_point, ())
    parameters = QueryParameters()
    return EvidenceQuery(
        f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{_where(config, question, parameters)}", parameters
    )


def build_public_result(_config: PulseConfig, result: Pulse, _group_keys: Collection[str]) -> Pulse:
    """Round down to tens."""
    return Pulse(actors=result.actors // 10 * 10, computed_at=result.computed_at)


def build_chart(result: Pulse, settings: PictureSettings) -> NumberChart:
    """Return the chart of the number."""
    number = ShownNumber("Pulse", result.actors, None, "up")
    return NumberChart(title="", height=numbers_height(1, settings.width), numbers=[number])


def build_mail_contents(_widget: MailWidget, result: Pulse) -> list[MailContent]:
    """Return the number."""
    return [BigNumber("Pulse", format_full(result.actors), None)]


def _where(config: PulseConfig, question: Question, parameters: QueryParameters) -> str:
    return scoped_where(*event_conditions(config, parameters), "actor != ''", question.window.condition(parameters))


PULSE = Kind(
    name="pulse",
    config=PulseConfig,
    results=(Pulse,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_evidence_query,
    find_contrast=None,
    is_empty=lambda result: not result.actors,
    title=lambda config: f"Pulse of {event_title(config)}",
    build_display=display_of,
    build_outline=lambda _config: Outline("pulse"),
    build_public_result=build_public_result,
    build_withheld_result=None,
    build_chart=build_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_number,
)
