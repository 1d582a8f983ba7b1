"""What `tallyroom_client.discord` costs a bot of discord.py: of an event that it leaves alone, and of a command.

``python -m bench.bots`` takes half a minute. discord.py itself reads the same events with and without the
helper, in turn. The bot has no commands and the client does nothing, so their cost is not in the figures. At the end, a
million commands show whether memory grows.
"""

import argparse
import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import discord
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.dispatching import Gateway, sign_in

from tallyroom_client.bots.memory import used_megabytes
from tallyroom_client.discord import attach

_ROUNDS = 3


class _Client:
    def track(self, name: str, **_event: Any) -> bool:
        return bool(name)


async def _connect() -> Gateway:
    client = discord.Client(intents=discord.Intents.default())
    await sign_in(discord, client)
    gateway = Gateway(discord, client)
    gateway.receive("guild_create", payloads.guild(unavailable=False))
    return gateway


@contextmanager
def _attached(bot: discord.Client, *, is_attached: bool) -> Iterator[None]:
    if not is_attached:
        yield
        return
    attachment = attach(bot, _Client(), stats=None)
    yield
    attachment.detach()


async def _measure(work: Callable[[], None], times: int) -> float:
    """Return microseconds for each time."""
    began_s = time.perf_counter()
    for _ in range(times):
        work()
    await asyncio.sleep(0)
    return (time.perf_counter() - began_s) / times * 1_000_000


async def _compare(name: str, bot: discord.Client, work: Callable[[], None], times: int) -> None:
    for _ in range(_ROUNDS):
        figures = []
        for is_attached in (False, True):
            with _attached(bot, is_attached=is_attached):
                figures.append(await _measure(work, times))
        without_us, with_us = figures
        print(f"{name:<16} {without_us:7.2f} us   attached {with_us:7.2f} us   {with_us / without_us:.2f} x")


async def _run(event_count: int) -> None:
    gateway = await _connect()
    payload = payloads.command("config", payloads.subcommand("set", payloads.text_option("value")))

    def use_command() -> None:
        gateway.receive("interaction_create", payload)

    await _compare("unrelated event", gateway.bot, lambda: gateway.bot.dispatch("typing"), 100_000)
    await _compare("command", gateway.bot, use_command, 5_000)
    with _attached(gateway.bot, is_attached=True):
        before_mb = used_megabytes()
        await _measure(use_command, event_count)
        print(f"{event_count} commands   memory {before_mb} -> {used_megabytes()} MB")
    await gateway.bot.close()


def main() -> None:
    """Print a line for each round."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--events", type=int, default=1_000_000, help="how many commands show whether memory grows")
    asyncio.run(_run(parser.parse_args().events))


if __name__ == "__main__":
    main()
