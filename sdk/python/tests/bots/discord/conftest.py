"""A bot of the library that this environment has, attached to a client that keeps its events."""

from collections.abc import AsyncIterator
from importlib.util import find_spec
from itertools import count
from types import ModuleType
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from sdk.python.tests.bots.discord.dispatching import Gateway, add_commands, gateway, load_library
from sdk.python.tests.bots.discord.payloads import BOT_USER, guild
from sdk.python.tests.bots.tracker import Clock, KeepingTracker

from tallyroom_client.discord.attached import Attached
from tallyroom_client.discord.dispatch_attachment import attach_to_dispatch
from tallyroom_client.discord.options import Options

collect_ignore = [] if find_spec("hikari") else ["test_hikari.py"]

_LIBRARY = load_library()
_bot_ids = count(BOT_USER)


@pytest.fixture
def library() -> ModuleType:
    if _LIBRARY is None:
        pytest.skip("this environment has no library with `dispatch`")
    return _LIBRARY


class Scene(NamedTuple):
    """A bot in one guild."""

    gateway: Gateway
    tracker: KeepingTracker
    clock: Clock
    ran: list[str]

    def attach(self, **options: Any) -> Attached:
        return attach_to_dispatch(self.gateway.bot, self.gateway.library, self.tracker, Options(**options), self.clock)


@pytest_asyncio.fixture
async def scene(library: ModuleType) -> AsyncIterator[Scene]:
    """A bot with commands, not attached yet."""
    async with gateway(library, bot_id=next(_bot_ids)) as connection:
        ran: list[str] = []
        add_commands(connection.bot, library, ran.append)
        connection.receive("guild_create", guild(unavailable=False))
        await connection.settle()
        yield Scene(connection, KeepingTracker(), Clock(), ran)
