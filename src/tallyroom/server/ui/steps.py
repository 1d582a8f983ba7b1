"""The commands on the page at `/`: the README's, with the same names, from the current stage of the setup."""

from enum import Enum, auto
from typing import NamedTuple


class Stage(Enum):
    """How far the setup of a server is."""

    NOBODY = auto()  # no one has signed up
    NO_EVENT = auto()  # no event has arrived
    EVENTS = auto()  # events have arrived


class NextCommand(NamedTuple):
    """The next step, and its shell command."""

    title: str
    command: str


_EXPORT_ADDRESS = "export TALLYROOM_URL={base_url}\n\n"

_SIGN_UP = NextCommand(
    "Sign up: the first user owns the server",
    _EXPORT_ADDRESS
    + """\
TALLYROOM_TOKEN=$(curl -s "$TALLYROOM_URL/v1/auth/signup" -D - -o /dev/null -H 'Content-Type: application/json' \\
  -d '{{"email":"you@example.com","password":"a long pass phrase","name":"You","workspaceName":"Acme"}}' |
  tr -d '\\r' | sed -n 's/^[Xx]-[Ss]ession-[Tt]oken: //p')
export TALLYROOM_TOKEN""",
)

_SIGN_IN = NextCommand(
    "Sign in with your email address and password",
    _EXPORT_ADDRESS
    + """\
TALLYROOM_TOKEN=$(curl -s "$TALLYROOM_URL/v1/auth/login" -D - -o /dev/null -H 'Content-Type: application/json' \\
  -d '{{"email":"you@example.com","password":"a long pass phrase"}}' |
  tr -d '\\r' | sed -n 's/^[Xx]-[Ss]ession-[Tt]oken: //p')
export TALLYROOM_TOKEN""",
)

_MAKE_KEY = NextCommand(
    "Create an API key",
    """\
TALLYROOM_KEY=$(curl -s "$TALLYROOM_URL/v1/keys" -H "Authorization: Bearer $TALLYROOM_TOKEN" \\
  -H 'Content-Type: application/json' -d '{{"name":"first key","environment":"production"}}' |
  sed -n 's/.*"secret": *"\\([^"]*\\)".*/\\1/p')
export TALLYROOM_KEY""",
)

_SEND = NextCommand(
    "Send an event",
    """\
curl -s "$TALLYROOM_URL/v1/events" -H "Authorization: Bearer $TALLYROOM_KEY" -H 'Content-Type: application/json' \\
  -d '{{"name":"order.placed","_actor":"customer-17","_actorLabel":"Customer 17","properties":{{"total":42.5}}}}'""",
)

_READ = NextCommand("Read it back", """curl -s "$TALLYROOM_URL/v1/actors" -H "Authorization: Bearer $TALLYROOM_KEY\"""")

_LOOK = NextCommand(
    "See the newest events and the most active actors",
    """\
curl -s "$TALLYROOM_URL/v1/events?timeRange=90d&limit=5" -H "Authorization: Bearer $TALLYROOM_TOKEN"
curl -s "$TALLYROOM_URL/v1/actors?timeRange=90d&limit=5" -H "Authorization: Bearer $TALLYROOM_TOKEN\"""",
)

_MORE = NextCommand("Create an API key to send more", _MAKE_KEY.command)

_STEPS_BY_STAGE = {
    Stage.NOBODY: [_SIGN_UP, _MAKE_KEY, _SEND, _READ],
    Stage.NO_EVENT: [_SIGN_IN, _MAKE_KEY, _SEND, _READ],
    Stage.EVENTS: [_SIGN_IN, _LOOK, _MORE, _SEND],
}


def list_next_commands(stage: Stage, base_url: str) -> list[NextCommand]:
    """Return the next steps on a server at this address, which needs no quoting in a shell."""
    return [step._replace(command=step.command.format(base_url=base_url)) for step in _STEPS_BY_STAGE[stage]]
