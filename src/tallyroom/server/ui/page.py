"""The page at `/`: says that the server runs, how far its setup is, and what to do next."""

import shlex
from html import escape
from importlib.resources import files
from string import Template
from typing import NamedTuple

from tallyroom.rest.styles import hash_style_sheet
from tallyroom.server.ui.steps import NextCommand, Stage, list_next_commands

_SOURCE = files("tallyroom.server.ui").joinpath("index.html").read_text(encoding="utf-8")
_PAGE = Template(_SOURCE)

_LEAD_BY_STAGE = {
    Stage.NOBODY: "No one has signed up yet.",
    Stage.NO_EVENT: "No events have arrived yet.",
    Stage.EVENTS: "Events have arrived.",
}
_LINK_TEXT_BY_PATH = {"/docs": "API reference", "/openapi.json": "OpenAPI document", "/healthz": "Health"}
_MEMBER_LINK_TEXT_BY_PATH = {
    "/v1/dashboards": "Dashboards",
    "/v1/events?timeRange=90d": "Newest events",
    "/v1/actors?timeRange=90d": "Actors",
}


class Visitor(NamedTuple):
    """The signed-in person who views the page."""

    name: str
    workspace: str


# The page loads nothing: no script, no picture, no font.
CSP = (
    f"default-src 'none'; style-src {hash_style_sheet(_SOURCE)}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


def build_home_page(base_url: str, version: str, stage: Stage, visitor: Visitor | None) -> bytes:
    """Return the page in UTF-8; `base_url` may come from a request header, so it is quoted and escaped."""
    visitor_note = f" You are signed in as {visitor.name}, in {visitor.workspace}." if visitor else ""
    link_text_by_path = (_MEMBER_LINK_TEXT_BY_PATH if visitor else {}) | _LINK_TEXT_BY_PATH
    return _PAGE.substitute(
        version=escape(version),
        lead=escape(_LEAD_BY_STAGE[stage] + visitor_note),
        steps="\n".join(
            _build_step_item(step) for step in list_next_commands(stage, shlex.quote(base_url.rstrip("/")))
        ),
        links="\n".join(
            f'<a href="{escape(path)}">{escape(link_text)}</a>' for path, link_text in link_text_by_path.items()
        ),
    ).encode()


def _build_step_item(step: NextCommand) -> str:
    command = escape(step.command, quote=False)
    return f'<li>\n<h2>{escape(step.title)}</h2>\n<pre tabindex="0"><code>{command}</code></pre>\n</li>'
