"""Note: a text on a dashboard, in Markdown (rules/boards#widget-data)."""

from typing import Annotated

from msgspec import Meta

from tallyroom.queries.config import Config, Display, Result, display_of
from tallyroom.queries.kind import Path
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Question


class NoteConfig(Config, frozen=True, kw_only=True):
    """The text, in Markdown."""

    text: Annotated[str, Meta(max_length=2000)]


class Note(Result, tag="note", kw_only=True):
    """The text as it was saved."""

    text: str


def check_config(_config: NoteConfig, _path: Path) -> None:
    """Accept every config: the types check everything."""


def build_query_plan(config: NoteConfig, _question: Question) -> QueryPlan[Note]:
    """Answer without a query."""
    yield from ()
    return Note(text=config.text)


def build_display(config: NoteConfig) -> Display:
    """Return the text, because the public may read it."""
    return display_of(config, text=config.text)
