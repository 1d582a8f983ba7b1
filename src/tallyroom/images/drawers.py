"""The processes that draw, from the side of the server: started when there is work, ended when they take too long."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.images.orders import ANSWER, LENGTH_BYTES, Answer, Drawn, Failed, Order, Refused, framed

_log = logging.getLogger(__name__)

_MOST = 2
_SECONDS = 20.0
_QUEUE_SECONDS = 30.0
_RETRY_SECONDS = 5


class Drawers:
    """A few processes, each of which draws one picture at a time (images/drawing.py).

    Args:
        font_folders: more typefaces.
        seconds: how long a picture may take.
        queue_seconds: how long an order may wait for its turn.

    Raises:
        TallyroomError: a folder is not there.
    """

    def __init__(
        self, font_folders: Sequence[Path] = (), seconds: float = _SECONDS, queue_seconds: float = _QUEUE_SECONDS
    ) -> None:
        for folder in font_folders:
            if not folder.is_dir():
                raise TallyroomError(f"{folder} is no folder of typefaces.")
        self._font_folders = font_folders
        self._seconds = seconds
        self._queue_seconds = queue_seconds
        self._turns = asyncio.Semaphore(_MOST)
        self._idle: list[_Drawer] = []
        self._all: set[_Drawer] = set()
        self._drawing: set[asyncio.Task[Drawn | Refused]] = set()
        self._is_closed = False

    async def draw(self, order: Order) -> Drawn | Refused:
        """The picture of an order, or why there is none.

        Cancelling gives up the turn of an order; one that is being drawn is drawn to its end.

        Raises:
            Unavailable: it takes too long, its process ended, or the server stops.
        """
        try:
            async with asyncio.timeout(self._queue_seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable("Too many pictures are being drawn.", _RETRY_SECONDS) from error
        task = asyncio.create_task(self._draw_now(order))
        self._drawing.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End the processes, whatever they do; no more are started."""
        self._is_closed = True
        for drawer in self._all:
            drawer.kill()
        await asyncio.gather(*(drawer.ended() for drawer in self._all))

    async def _draw_now(self, order: Order) -> Drawn | Refused:
        """Draw in an idle process or a new one; one that owes an answer is never idle again."""
        drawer = None
        try:
            async with asyncio.timeout(self._seconds):
                drawer = await self._free()
                answer = await drawer.ask(order)
        except (TimeoutError, OSError, EOFError, RuntimeError) as error:
            _log.warning("a process that draws took too long or broke", extra={"reason": repr(error)})
            if drawer is not None:
                self._all.discard(drawer)
                drawer.kill()
            raise Unavailable("This picture could not be drawn in time.", _RETRY_SECONDS) from error
        finally:
            self._turns.release()
        self._idle.append(drawer)
        if isinstance(answer, Failed):
            _log.error("a picture could not be drawn", extra={"reason": answer.reason})
            raise Unavailable("This picture could not be drawn.", _RETRY_SECONDS)
        return answer

    def _ended(self, task: "asyncio.Task[Drawn | Refused]") -> None:
        self._drawing.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits has it; nobody may be left

    async def _free(self) -> "_Drawer":
        while self._idle:
            drawer = self._idle.pop()
            if drawer.is_there:
                return drawer
            self._all.discard(drawer)
        return await self._start()

    async def _start(self) -> "_Drawer":
        if self._is_closed:
            raise EOFError("the server stops")
        drawer = _Drawer(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tallyroom.images.drawing", *map(str, self._font_folders)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        )
        self._all.add(drawer)
        return drawer


class _Drawer:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._orders: asyncio.StreamWriter = process.stdin  # type: ignore[assignment] # it was started with both
        self._answers: asyncio.StreamReader = process.stdout  # type: ignore[assignment] # as above

    @property
    def is_there(self) -> bool:
        """Whether it has not ended, as far as this process knows."""
        return self._process.returncode is None and not self._orders.is_closing()

    async def ask(self, order: Order) -> Answer:
        """Send an order and wait for its answer.

        Raises:
            OSError: the process has ended.
            RuntimeError: as that.
            EOFError: it ended meanwhile.
        """
        self._orders.write(framed(order))
        await self._orders.drain()
        length = int.from_bytes(await self._answers.readexactly(LENGTH_BYTES), "big")
        return ANSWER.decode(await self._answers.readexactly(length))

    def kill(self) -> None:
        """End it at once."""
        if self._process.returncode is None:
            self._process.kill()

    async def ended(self) -> None:
        """Wait for its end."""
        await self._process.wait()
