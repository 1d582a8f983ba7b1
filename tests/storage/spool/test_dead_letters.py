"""Each is kept once, with its reason, until it is erased (rules/safety#dead-letters)."""

import sqlite3
from dataclasses import replace

from tallyroom.storage.spool.dead_letters import (
    DeadLetter,
    add_dead_letter,
    erase_dead_letters,
    expire_dead_letters,
    list_frequent_reasons,
)


def letter(
    token: str,
    workspace_id: str = "w",
    environment: str = "production",
    actor: str = "ann",
    reason: str = "why",
    at_ms: int = 5,
) -> DeadLetter:
    return DeadLetter(token, workspace_id, environment, actor, reason, at_ms, b"line\n")


def erased(file: sqlite3.Connection) -> int:
    [(number,)] = file.execute("SELECT value FROM number WHERE name = 'erased'")
    return int(number)


def test_a_dead_letter_is_kept_once(file: sqlite3.Connection) -> None:
    assert add_dead_letter(file, letter("t"))
    assert not add_dead_letter(file, letter("t"))
    assert file.execute("SELECT * FROM dead_letter").fetchall() == [
        ("t", "w", "production", "ann", "why", 5, b"line\n")
    ]


def test_erasing_takes_the_dead_letters_of_one_actor(file: sqlite3.Connection) -> None:
    letters = [letter("1"), letter("2"), letter("3", "v"), letter("4", environment="test"), letter("5", actor="Ann")]
    for each in letters:
        add_dead_letter(file, each)
    assert erase_dead_letters(file, "w", "production", "ann") == 2
    assert file.execute("SELECT token FROM dead_letter ORDER BY token").fetchall() == [("3",), ("4",), ("5",)]
    assert erased(file) == 2


def test_erasing_takes_the_dead_letters_of_an_environment(file: sqlite3.Connection) -> None:
    for each in [letter("1"), letter("2", actor=""), letter("3", "v"), letter("4", environment="test")]:
        add_dead_letter(file, each)
    assert erase_dead_letters(file, "w", "production", None) == 2
    assert file.execute("SELECT token FROM dead_letter ORDER BY token").fetchall() == [("3",), ("4",)]


def test_those_of_old_events_go_by_the_time_of_the_event_or_else_of_the_refusal(file: sqlite3.Connection) -> None:
    lines = {"old": b'["a","b",99]', "new": b'["a","b",100]', "unread and old": b"[1,2,", "unread and new": b"\xff"}
    lines |= {"without a time and old": b'["a","b",null]', "text for a time and old": b'["a","b","soon"]'}
    for token, line in lines.items():
        add_dead_letter(file, replace(letter(token, at_ms=99 if token.endswith("old") else 100), line=line))
    add_dead_letter(file, letter("elsewhere", "v"))
    assert expire_dead_letters(file, "w", "production", 100) == 4
    left = file.execute("SELECT token FROM dead_letter ORDER BY token").fetchall()
    assert left == [("elsewhere",), ("new",), ("unread and new",)]
    assert erased(file) == 4


def test_reasons_are_counted_the_most_frequent_first(file: sqlite3.Connection) -> None:
    for token, reason in (("a", "x"), ("b", "y"), ("c", "y"), ("d", "z")):
        add_dead_letter(file, letter(token, reason=reason))
    assert list_frequent_reasons(file, 2) == [("y", 2), ("x", 1)]
