"""The metadata database, opened for one command. Servers may run beside it."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from cyclopts import Parameter

from tallyroom.auth.operator import Operator
from tallyroom.auth.passwords import Passwords
from tallyroom.cluster.open_metadata import check_metadata, open_metadata
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DATABASE_FILE, refuse_backup, refuse_moved
from tallyroom.core.errors import TallyroomError
from tallyroom.core.ids import IdGenerator
from tallyroom.core.load_settings import load_settings

DataOption = Annotated[str | None, Parameter(help="Data directory (TALLYROOM_DATA, ./data).")]

T = TypeVar("T")


def run_as_operator(data: str | None, action: Callable[[Operator], Awaitable[T]]) -> T:
    """Perform `action` on the metadata that the settings name: a database on a server, or in the directory `data`.

    Raises:
        TallyroomError: there is no database, it has the schema of another version, or lies in a backup;
            or something that was typed is no text.
    """
    settings = load_settings(os.environ, data=data)
    refuse_backup(settings.data_dir)
    refuse_moved(settings.data_dir)
    database_location = settings.data_dir / DATABASE_FILE, settings.db_dsn
    check_metadata(*database_location)
    clock = SystemClock()

    async def run_action() -> T:
        database = open_metadata(*database_location)
        try:
            return await action(Operator(database, Passwords(), clock, IdGenerator(clock)))
        finally:
            await database.close()

    try:
        return asyncio.run(run_action())
    except UnicodeEncodeError as error:
        raise TallyroomError("An argument is not text in UTF-8. Nothing was changed.") from error
