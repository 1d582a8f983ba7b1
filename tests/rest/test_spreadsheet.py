"""Texts that a spreadsheet must not run (rules/questions#spreadsheets); the web app is tested by the same fixtures."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.oracles.export_files import read_csv
from tallyroom.rest.spreadsheet import encode_csv

FIXTURES = Path(__file__).parents[2] / "fixtures" / "spreadsheet"
CHARACTERS = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"


def rows(name: str) -> list[Any]:
    found: list[Any] = json.loads((FIXTURES / name).read_text(encoding="utf-8"))
    return found


def cell(text: str) -> str:
    """The cell of a text, as a program reads it."""
    ((found,),) = read_csv(encode_csv([[text]]))
    return found


@pytest.mark.parametrize("row", rows("cells.json"), ids=lambda row: ascii(row["text"]))
def test_a_spreadsheet_runs_nothing(row: dict[str, Any]) -> None:
    assert cell(row["text"]) == row["cell"]


def points(name: str) -> set[int]:
    return {point for first, last in rows(name) for point in range(first, last + 1)}


@pytest.mark.long
def test_what_shows_nothing_hides_no_sign_and_nothing_else_is_skipped() -> None:
    found = read_csv(encode_csv([f"{character}=1"] for character in CHARACTERS))
    guarded = {
        ord(character)
        for character, (text,) in zip(CHARACTERS, found, strict=True)
        if text.startswith("'") and character not in SIGNS
    }
    guarded.discard(ord("'"))
    assert guarded == points("invisible.json")


def test_a_formula_is_guarded_after_a_separator_and_after_nothing_else() -> None:
    found = read_csv(encode_csv([f"a{character}=1"] for character in CHARACTERS))
    guarded = {
        ord(character) for character, (text,) in zip(CHARACTERS, found, strict=True) if text == f"a{character}'=1"
    }
    assert guarded == points("separators.json")
    assert sum(text.endswith("'=1") for (text,) in found) == len(guarded) + 1  # the apostrophe itself


def test_a_number_stays_one() -> None:
    assert encode_csv([["-5", -5, None]]) == b'"\'-5",-5,""\n'
