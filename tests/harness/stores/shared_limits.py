"""For tests of limits on a server: workers that share them, and a server whose clock the test moves."""

import uuid
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from tallyroom.cluster.redis.server import LimitsServer, ScriptArgument
from tallyroom.core.errors import RateLimited
from tallyroom.storage.limits.limits import RateLimit


def fresh_name() -> str:
    """A name that no other test has."""
    return uuid.uuid4().hex


class ClockedServer(LimitsServer):
    """A server by whose scripts it is as late as by the clock of the test."""

    def __init__(self, dsn: str, clock: Any) -> None:
        super().__init__(dsn)
        self._clock = clock

    async def run_script(self, script_name: str, keys: Sequence[str], arguments: Sequence[ScriptArgument] = ()) -> Any:
        if script_name not in self._scripts:
            text = (files("tallyroom.cluster.redis") / f"{script_name}.lua").read_text(encoding="utf-8")
            dated = text.replace("redis.call('TIME')", "({ARGV[#ARGV - 1], ARGV[#ARGV]})")
            self._scripts[script_name] = self._client.register_script(dated)
        seconds, micros = divmod(round(self._clock.monotonic() * 1_000_000), 1_000_000)
        return await super().run_script(script_name, keys, [*arguments, seconds, micros])


async def admitted(window: RateLimit, client: str = "a") -> bool:
    """Whether one request of the client comes through."""
    try:
        await window.admit(client)
    except RateLimited:
        return False
    return True
