"""Question marks become the numbers that PostgreSQL takes."""

import pytest

from tallyroom.cluster.postgresql.look_ups import number_placeholders


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT 1", "SELECT 1"),
        ("a = ?", "a = $1"),
        ("a = ? AND b IN (?, ?) LIMIT ?", "a = $1 AND b IN ($2, $3) LIMIT $4"),
        ("?" * 12, "$1$2$3$4$5$6$7$8$9$10$11$12"),
    ],
)
def test_question_marks_are_numbered(query: str, expected: str) -> None:
    assert number_placeholders(query) == expected
