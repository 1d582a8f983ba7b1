"""The process that reads imports (``python -m tallyroom.bots.statistics_api.feed.import_worker``), and its client.

Reading thousands of rows takes long, and Python runs one thread at a time.
"""

import msgspec

from tallyroom.bots.feed import CounterPost, ProfileChange
from tallyroom.bots.statistics_api.feed.reading import parse_import_rows
from tallyroom.bots.votes import Vote
from tallyroom.core.process_pool import PoolRefusals, ProcessPool
from tallyroom.core.worker import serve_jobs

_MAX_WAITING = 8  # bodies of up to 8 MB
_REFUSALS = PoolRefusals(
    busy_message="Too many imports are queued. Try again shortly.",
    failure_message="The import could not be read in time. Try again.",
    retry_after_seconds=1,
)


class SentImport(msgspec.Struct, frozen=True):
    """An import to read: the body, and the time of receipt."""

    body: bytes
    now_ms: int


class ImportRow(msgspec.Struct, frozen=True, array_like=True):
    """One row: a bot's profile, counters or both, or a vote."""

    profile: ProfileChange | None
    post: CounterPost | None
    vote: Vote | None


class ImportReader:
    """Reads imports, one after the other, in a process that starts with the first."""

    def __init__(self) -> None:
        self._process = ProcessPool([__name__], _REFUSALS, max_workers=1, max_waiting=_MAX_WAITING)

    async def read_rows(self, body: bytes, now_ms: int) -> list[ImportRow]:
        """Return the rows like `parse_import_rows`; also raises `Unavailable` if the process is busy or broken."""
        return await self._process.ask(SentImport(body, now_ms), list[ImportRow])

    async def close(self) -> None:
        """End the process, even during a job."""
        await self._process.close()


def read_job(job: bytes) -> list[ImportRow]:
    """Return the rows of an import; raises `ValidationFailed` as `parse_import_rows` does."""
    request = msgspec.msgpack.decode(job, type=SentImport)
    return [ImportRow(*row) for row in parse_import_rows(request.body, request.now_ms)]


if __name__ == "__main__":
    serve_jobs(read_job)
