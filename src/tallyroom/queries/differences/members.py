"""What is compared, as SQL: the events of a contrast, or the units that have them."""

from collections.abc import Mapping

from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.query_plan import scoped_where


def build_members_sql(contrast: Contrast, sql_by_array: Mapping[str, str], *, by_units: bool) -> str:
    """Return SQL with a row for each event or unit: whether it `is_behind` the number, and some arrays, by name.

    An array of a unit has the different elements that the arrays of its events have.
    """
    if not by_units:
        columns = [
            f"{contrast.is_behind_sql} AS is_behind",
            *(f"{sql} AS {name}" for name, sql in sql_by_array.items()),
        ]
        return f"SELECT {', '.join(columns)}\nFROM events\n{scoped_where(*contrast.conditions)}"
    columns = [
        f"max({contrast.is_behind_sql}) AS is_behind",
        *(f"groupUniqArrayArray({sql}) AS {name}" for name, sql in sql_by_array.items()),
    ]
    where_sql = scoped_where(*contrast.conditions, contrast.unit.present_sql)
    return f"""SELECT {", ".join(columns)}
FROM events
{where_sql}
GROUP BY {contrast.unit.sql}
HAVING max({contrast.is_member_sql})"""
