"""A condition for the events that have a label of a breakdown, without a row for each label."""

from collections.abc import Callable

from tallyroom.queries.differences.measured_point import PointLabel
from tallyroom.queries.keys import GROUP, OwnField, Property, resolve_key
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import Question
from tallyroom.queries.units import Unit, choose_unit
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS

_MatchSql = Callable[[str], str]
"""From SQL for a label to SQL that is true for the labels in question."""


def label_condition(point_label: PointLabel, question: Question, parameters: QueryParameters) -> str:
    """Return SQL that is true for an event with the label of a point, or of its rest."""
    source = (
        choose_unit("group", question, parameters)
        if point_label.key == GROUP
        else resolve_key(point_label.key, parameters)
    )
    if point_label.kind == "none":
        return f"NOT ({source.present_sql})"
    match_sql = _build_match_sql(point_label, parameters)
    if isinstance(source, Unit):
        return f"({source.present_sql} AND {match_sql(source.sql)})"
    if isinstance(source, OwnField):
        return f"({source.present_sql} AND {match_sql(source.column)})"
    return _property_condition(source, match_sql)


def _build_match_sql(point_label: PointLabel, parameters: QueryParameters) -> _MatchSql:
    if point_label.kind == "other":
        shown_placeholder = parameters.bind_texts("shown", list(point_label.shown_labels))
        return lambda label_sql: f"NOT has({shown_placeholder}, {label_sql})"
    label_placeholder = parameters.bind_text("label", point_label.label or "")
    return lambda label_sql: f"{label_sql} = {label_placeholder}"


def _property_condition(property_: Property, match_sql: _MatchSql) -> str:
    alternatives = [
        f"({property_.has_index_sql(map_name)} AND {match_sql(property_.value_sql(map_name))})"
        for map_name in ("strings", "texts")
    ]
    has_text_sql = property_.has_number_text_sql
    number_sql = f"toString({property_.value_sql('numbers')} + 0)"  # -0 is 0
    alternatives += [
        f"({has_text_sql} AND {match_sql(property_.value_sql(NUMBER_TEXTS))})",
        f"({property_.has_index_sql('numbers')} AND NOT {has_text_sql} AND {match_sql(number_sql)})",
        f"arrayExists(element -> {match_sql('element')}, {property_.value_sql('lists')})",
    ]
    return f"({' OR '.join(alternatives)})"
