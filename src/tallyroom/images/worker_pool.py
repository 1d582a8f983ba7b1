"""The server's side of the processes that draw."""

import logging
from collections.abc import Sequence
from pathlib import Path

from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.process_pool import PoolRefusals, ProcessPool, WorkerFault
from tallyroom.images.messages import Job, Picture

_log = logging.getLogger(__name__)

MAX_PROCESSES = 2
_MAX_PICTURE_SECONDS = 20.0
_MAX_QUEUE_SECONDS = 30.0
_RETRY_SECONDS = 5
_POOL_REFUSALS = PoolRefusals(
    busy_message="Too many pictures are being drawn.",
    failure_message="This picture could not be drawn in time.",
    retry_after_seconds=_RETRY_SECONDS,
)


class PictureWorkerPool:
    """A few processes, each of which draws one picture at a time; raise `TallyroomError` for a missing folder."""

    def __init__(
        self,
        font_folders: Sequence[Path] = (),
        *,
        max_processes: int = MAX_PROCESSES,
        picture_seconds: float = _MAX_PICTURE_SECONDS,
        queue_seconds: float = _MAX_QUEUE_SECONDS,
    ) -> None:
        for folder in font_folders:
            if not folder.is_dir():
                raise TallyroomError(f"{folder} is not a folder of fonts.")
        self._process_pool = ProcessPool(
            ["tallyroom.images.worker", *map(str, font_folders)],
            _POOL_REFUSALS,
            max_workers=max_processes,
            job_seconds=picture_seconds,
            queue_seconds=queue_seconds,
            idle_seconds=None,
        )

    async def draw(self, job: Job) -> Picture:
        """Return the picture of a job; raise `ValidationFailed`, or `Unavailable` if it cannot be drawn in time."""
        try:
            return await self._process_pool.ask(job, Picture)
        except WorkerFault as error:
            _log.exception("a picture could not be drawn", extra={"reason": str(error)})
            raise Unavailable("This picture could not be drawn.", _RETRY_SECONDS) from error

    async def close(self) -> None:
        """End the processes, even during a job."""
        await self._process_pool.close()
