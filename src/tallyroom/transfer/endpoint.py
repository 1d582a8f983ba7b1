"""The paths of a server that take rows in batches: how a body is put together, and how an answer reads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tallyroom.bots.bounds import MOST_BYTES, MOST_ROWS
from tallyroom.ingest.event import MAX_BODY_BYTES, MAX_EVENTS
from tallyroom.ingest.exact import parse_exactly

_BAD_ROWS: Final = frozenset({400, 413})


@dataclass(frozen=True)
class Endpoint:
    """One such path.

    Attributes:
        path: of the URL.
        array: the one member of a body, which holds the rows.
        most_rows: in one body.
        most_bytes: of one body.
        accepted: the status that says that the rows count.
        proof: a member of that answer, by which a Tallyroom server is known.
        settled: statuses after which it is no use to send the same body again.
        credential: what the sender needs, and where it is looked for.
        resuming: how an import that did not finish goes on.
        rule: the server's own check of one row, for when its answer names none; raises a `TallyroomError`.
    """

    path: str
    array: str
    most_rows: int
    most_bytes: int
    accepted: int
    proof: str
    settled: frozenset[int]
    credential: tuple[str, str]
    resuming: str
    rule: Callable[[bytes, int], object] | None = None

    @property
    def frame_bytes(self) -> int:
        """How long a body without rows is."""
        return len(self.body(()))

    def body(self, rows: Iterable[bytes]) -> bytes:
        """The body of the request that sends these rows."""
        return b'{"%s":[%s]}' % (self.array.encode(), b",".join(rows))


EVENTS: Final = Endpoint(
    path="/v1/events",
    array="events",
    most_rows=MAX_EVENTS,
    most_bytes=MAX_BODY_BYTES,
    accepted=202,
    proof="accepted",
    settled=_BAD_ROWS | {202, 422},
    credential=("API key", "TALLYROOM_KEY, or pass --key"),
    resuming="Run the same command again within 24 hours of the first time, and no row counts twice; a file that was "
    "changed is another import.",
    rule=parse_exactly,
)


def listing(platform: str) -> Endpoint:
    """Where the bots and votes of a listing go in; `platform` is the first segment of its paths."""
    return Endpoint(
        path=f"/{platform}/import",
        array="rows",
        most_rows=MOST_ROWS,
        most_bytes=MOST_BYTES,
        accepted=200,
        proof="bots",
        settled=_BAD_ROWS | {200},
        credential=("stats token", "TALLYROOM_STATS_TOKEN, or pass --token"),
        resuming="Run the same command again; no row counts twice.",
    )
