"""The framework with nothing behind it, and with one indexed read behind each route: what statistics stand beside.

``python -m bench.reads PORT DATABASE WORKSPACE`` serves ``/empty``, and ``/bot``, ``/bots`` and ``/voters``, which
answer rows of the metadata as the driver gives them.
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

import uvicorn
from litestar import Litestar, get

from bench.listed import bot_id
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.sqlite import SqliteDatabase


def build(database: Database, workspace_id: str) -> Litestar:
    """The application."""

    @get("/readyz")
    async def ready() -> dict[str, str]:
        return {}

    @get("/empty")
    async def empty() -> dict[str, str]:
        return {}

    @get("/bot")
    async def bot() -> list[tuple[Any, ...]]:
        return await database.look_up_all(
            "SELECT * FROM bots WHERE workspace_id = ? AND id = ?", workspace_id, bot_id(7)
        )

    @get("/bots")
    async def bots() -> list[tuple[Any, ...]]:
        ids = [bot_id(at) for at in range(10)]
        placeholders = ", ".join("?" * len(ids))
        return await database.look_up_all(
            f"SELECT * FROM bots WHERE workspace_id = ? AND id IN ({placeholders})",  # question marks
            workspace_id,
            *ids,
        )

    @get("/ranked")
    async def ranked() -> list[tuple[Any, ...]]:
        return await database.look_up_all(
            "SELECT id, name, monthly_votes, total_votes, server_count, review_count FROM bots"
            " WHERE workspace_id = ? ORDER BY id LIMIT 100",
            workspace_id,
        )

    @get("/voters")
    async def voters() -> list[tuple[Any, ...]]:
        return await database.look_up_all(
            "SELECT * FROM voters WHERE workspace_id = ? AND bot_id = ?"
            " ORDER BY weight DESC, votes DESC, last_vote_ms, user_id LIMIT 500 OFFSET 50000",
            workspace_id,
            bot_id(0),
        )

    return Litestar([ready, empty, bot, bots, ranked, voters], logging_config=None)


async def main(port: int, path: str, workspace_id: str) -> None:
    """Serve until killed."""
    app = build(SqliteDatabase(Path(path)), workspace_id)
    await uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", access_log=False)).serve()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
