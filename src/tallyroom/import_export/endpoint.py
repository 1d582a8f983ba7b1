"""The endpoints of a server that take rows in batches: how to build a body, and how to read an answer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tallyroom.bots.limits import MAX_IMPORT_BYTES, MAX_ROWS
from tallyroom.core.event_limits import MAX_BODY_BYTES, MAX_EVENTS
from tallyroom.ingest.validation.exact import parse_exactly

_BAD_ROW_STATUSES: Final = frozenset({400, 413})


@dataclass(frozen=True)
class Endpoint:
    """An endpoint that accepts rows in batches; `rows_member` is the only member of a body.

    `accepted_status` means that the rows count; only Tallyroom's answers have `proof_member`. After `final_statuses`,
    it is useless to send the same body again. `check_row` is the server's own check, for answers that name no row.
    """

    path: str
    rows_member: str
    max_rows: int
    max_bytes: int
    accepted_status: int
    proof_member: str
    final_statuses: frozenset[int]
    credential_hint: tuple[str, str]
    resume_hint: str
    check_row: Callable[[bytes, int], object] | None = None

    @property
    def empty_body_bytes(self) -> int:
        """The size of a body without rows, in bytes."""
        return len(self.build_body(()))

    def build_body(self, rows: Iterable[bytes]) -> bytes:
        """Return the body of the request that sends these rows."""
        return b'{"%s":[%s]}' % (self.rows_member.encode(), b",".join(rows))


EVENTS_ENDPOINT: Final = Endpoint(
    path="/v1/events",
    rows_member="events",
    max_rows=MAX_EVENTS,
    max_bytes=MAX_BODY_BYTES,
    accepted_status=202,
    proof_member="accepted",
    final_statuses=_BAD_ROW_STATUSES | {202, 422},
    credential_hint=("API key", "TALLYROOM_KEY, or pass --key"),
    resume_hint="Run the same command again within 24 hours of the first run; no row counts twice. A changed file "
    "is a new import.",
    check_row=parse_exactly,
)


def bot_import_endpoint(platform: str) -> Endpoint:
    """Return the endpoint for the bots and votes of a listing; `platform` is the first segment of its paths."""
    return Endpoint(
        path=f"/{platform}/import",
        rows_member="rows",
        max_rows=MAX_ROWS,
        max_bytes=MAX_IMPORT_BYTES,
        accepted_status=200,
        proof_member="bots",
        final_statuses=_BAD_ROW_STATUSES | {200},
        credential_hint=("stats token", "TALLYROOM_STATS_TOKEN, or pass --token"),
        resume_hint="Run the same command again; no row counts twice.",
    )
