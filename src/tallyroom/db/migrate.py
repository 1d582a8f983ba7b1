"""Bring the metadata database to the newest schema, or refuse one that is newer than this program."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.pool import NullPool

from tallyroom.core.errors import TallyroomError
from tallyroom.db.connection import begin_write, prepare_connection


def migrate(path: Path) -> None:
    """Create the database at `path` or upgrade it; nothing happens when it is up to date.

    The whole upgrade is one transaction: a killed process leaves the old schema, and of two processes that start
    together the second waits and then finds nothing to do.

    Raises:
        TallyroomError: the database was written by a newer version of the program.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)  # it holds password hashes; SQLite gives the files beside it the same mode
    engine = create_engine(f"sqlite:///{path.absolute()}", poolclass=NullPool)
    event.listen(engine, "connect", prepare_connection)
    event.listen(engine, "begin", begin_write)
    with engine.begin() as connection:
        _upgrade(connection, path)
    engine.dispose()


def _upgrade(connection: Connection, path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", "tallyroom.db:migrations")
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    current = set(MigrationContext.configure(connection).get_current_heads())
    if unknown := current - known:
        raise TallyroomError(
            f"{path} has the schema {min(unknown)}, which this version of Tallyroom does not know: "
            "it was written by a newer one. Start that version, or restore a backup made before the upgrade."
        )
    if current != set(scripts.get_heads()):
        command.upgrade(config, "head")
