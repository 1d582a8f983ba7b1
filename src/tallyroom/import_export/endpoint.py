"""The endpoints of a server that take rows in batches: how to build a body, and how to read an answer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tallyroom.bots.limits import MOST_BYTES, MOST_ROWS
from tallyroom.core.event_limits import MAX_BODY_BYTES, MAX_EVENTS
from tallyroom.ingest.validation.exact import parse_exactly

_BAD_ROWS: Final = frozenset({400, 413})


@dataclass(frozen=True)
class Endpoint:
    """One such endpoint.

    Attributes:
        path: the path of its URL.
        array: the one member of a body, which contains the rows.
        most_rows: the most rows in one body.
        most_bytes: the most bytes of one body.
        accepted: the status that says that the rows count.
        proof: a member of that answer that identifies a Tallyroom server.
        final_statuses: the statuses after which sending the same body again is useless.
        credential: the credential that the sender needs, and how to provide it.
        resuming: how to continue an import that did not finish.
        rule: the server's own check of one row, used if its answer names no row; raises a `TallyroomError`.
    """

    path: str
    array: str
    most_rows: int
    most_bytes: int
    accepted: int
    proof: str
    final_statuses: frozenset[int]
    credential: tuple[str, str]
    resuming: str
    rule: Callable[[bytes, int], object] | None = None

    @property
    def frame_bytes(self) -> int:
        """The size of a body without rows, in bytes."""
        return len(self.body(()))

    def body(self, rows: Iterable[bytes]) -> bytes:
        """Return the body of the request that sends these rows."""
        return b'{"%s":[%s]}' % (self.array.encode(), b",".join(rows))


EVENTS: Final = Endpoint(
    path="/v1/events",
    array="events",
    most_rows=MAX_EVENTS,
    most_bytes=MAX_BODY_BYTES,
    accepted=202,
    proof="accepted",
    final_statuses=_BAD_ROWS | {202, 422},
    credential=("API key", "TALLYROOM_KEY, or pass --key"),
    resuming="Run the same command again within 24 hours of the first time; no row counts twice. A file that was "
    "changed is another import.",
    rule=parse_exactly,
)


def listing(platform: str) -> Endpoint:
    """Return the endpoint for the bots and votes of a listing; `platform` is the first segment of its paths."""
    return Endpoint(
        path=f"/{platform}/import",
        array="rows",
        most_rows=MOST_ROWS,
        most_bytes=MOST_BYTES,
        accepted=200,
        proof="bots",
        final_statuses=_BAD_ROWS | {200},
        credential=("stats token", "TALLYROOM_STATS_TOKEN, or pass --token"),
        resuming="Run the same command again; no row counts twice.",
    )
