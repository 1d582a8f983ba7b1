"""The processes that draw, from the side of the server: started when there is work, ended when they take too long."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.images.orders import ANSWER, LENGTH_BYTES, Drawn, Order, Refused, framed

_log = logging.getLogger(__name__)

_MOST = 2
_SECONDS = 20.0
_RETRY_SECONDS = 5


class Drawers:
    """A few processes, each of which draws one picture at a time (images/drawing.py).

    Args:
        font_folders: more typefaces.
        seconds: how long a picture may take.

    Raises:
        TallyroomError: a folder is not there.
    """

    def __init__(self, font_folders: Sequence[Path] = (), seconds: float = _SECONDS) -> None:
        for folder in font_folders:
            if not folder.is_dir():
                raise TallyroomError(f"{folder} is no folder of typefaces.")
        self._font_folders = font_folders
        self._seconds = seconds
        self._turns = asyncio.Semaphore(_MOST)
        self._idle: list[_Drawer] = []
        self._all: set[_Drawer] = set()

    async def draw(self, order: Order) -> Drawn | Refused:
        """The picture of an order, or why there is none.

        Raises:
            Unavailable: it takes too long, or its process ended.
        """
        async with self._turns:
            drawer = self._idle.pop() if self._idle else await self._start()
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await drawer.ask(order)
            except (TimeoutError, OSError, EOFError) as error:
                _log.warning("a process that draws took too long or broke", extra={"reason": repr(error)})
                raise Unavailable("This picture could not be drawn in time.", _RETRY_SECONDS) from error
            else:
                self._idle.append(drawer)
                return answer
            finally:
                if drawer not in self._idle:  # nobody may get the answer that it still owes
                    self._end(drawer)

    async def close(self) -> None:
        """End the processes, whatever they do."""
        for drawer in self._all:
            drawer.kill()
        await asyncio.gather(*(drawer.ended() for drawer in self._all))

    async def _start(self) -> "_Drawer":
        drawer = _Drawer(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tallyroom.images.drawing", *map(str, self._font_folders)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        )
        self._all.add(drawer)
        return drawer

    def _end(self, drawer: "_Drawer") -> None:
        self._all.discard(drawer)
        drawer.kill()


class _Drawer:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._orders: asyncio.StreamWriter = process.stdin  # type: ignore[assignment] # it was started with both
        self._answers: asyncio.StreamReader = process.stdout  # type: ignore[assignment] # as above

    async def ask(self, order: Order) -> Drawn | Refused:
        """Send an order and wait for its answer.

        Raises:
            OSError: the process has ended.
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
