"""A condition for the events that have a label of a breakdown, without a row for each label."""

from collections.abc import Callable, Sequence

from tallyroom.queries.differences.contrast import NamesByMap
from tallyroom.queries.differences.measured_point import PointLabel
from tallyroom.queries.keys import GROUP, PROPERTY_PREFIX, OwnField, Property, resolve_key
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import Question
from tallyroom.queries.units import Unit, choose_unit
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS

_MatchSql = Callable[[str], str]
"""From SQL for a label to SQL that is true for the labels in question."""


def label_condition(
    point_label: PointLabel, question: Question, parameters: QueryParameters, names_by_map: NamesByMap
) -> str:
    """Return SQL that is true for an event with the label of a point, or of its rest.

    It reads a property only in the maps in which some of the events have it.
    """
    source = (
        choose_unit("group", question, parameters)
        if point_label.key == GROUP
        else resolve_key(point_label.key, parameters)
    )
    name = point_label.key.removeprefix(PROPERTY_PREFIX)
    map_names = [map_name for map_name, names in names_by_map.items() if name in names]
    if point_label.kind == "none":
        present_sql = _present_condition(source, map_names) if isinstance(source, Property) else source.present_sql
        return f"NOT ({present_sql})"
    match_sql = _build_match_sql(point_label, parameters)
    if isinstance(source, Unit):
        return f"({source.present_sql} AND {match_sql(source.sql)})"
    if isinstance(source, OwnField):
        return f"({source.present_sql} AND {match_sql(source.column)})"
    return _match_condition(source, map_names, match_sql)


def _build_match_sql(point_label: PointLabel, parameters: QueryParameters) -> _MatchSql:
    if point_label.kind == "other":
        shown_placeholder = parameters.bind_texts("shown", list(point_label.shown_labels))
        return lambda label_sql: f"NOT has({shown_placeholder}, {label_sql})"
    label_placeholder = parameters.bind_text("label", point_label.label or "")
    return lambda label_sql: f"{label_sql} = {label_placeholder}"


def _present_condition(property_: Property, map_names: Sequence[str]) -> str:
    return " OR ".join(property_.has_index_sql(map_name) for map_name in map_names) or "0"


def _match_condition(property_: Property, map_names: Sequence[str], match_sql: _MatchSql) -> str:
    alternatives = []
    for map_name in map_names:
        value_sql, has_value_sql = property_.value_sql(map_name), property_.has_index_sql(map_name)
        if map_name == "lists":
            alternatives.append(f"arrayExists(element -> {match_sql('element')}, {value_sql})")
        elif map_name == "numbers":
            has_text_sql = property_.has_number_text_sql
            number_sql = f"toString({value_sql} + 0)"  # -0 is 0
            alternatives.append(f"({has_text_sql} AND {match_sql(property_.value_sql(NUMBER_TEXTS))})")
            alternatives.append(f"({has_value_sql} AND NOT {has_text_sql} AND {match_sql(number_sql)})")
        else:
            alternatives.append(f"({has_value_sql} AND {match_sql(value_sql)})")
    return f"({' OR '.join(alternatives) or '0'})"
