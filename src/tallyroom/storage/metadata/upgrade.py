"""Runs Alembic on the metadata database, or refuses one that is newer than this program."""

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from tallyroom.core.errors import TallyroomError


def upgrade(connection: Connection, name: str) -> None:
    """Run the missing migrations in the open transaction of `connection`; a refusal begins with `name`.

    Raises:
        TallyroomError: a newer version of the program wrote the database.
    """
    config = Config()
    config.set_main_option("script_location", "tallyroom.storage.metadata:migrations")
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    revisions = {script.revision for script in scripts.walk_revisions()}
    current = set(MigrationContext.configure(connection).get_current_heads())
    if unknown := current - revisions:
        raise TallyroomError(
            f"{name} has the schema {min(unknown)}, which this version of Tallyroom does not know: "
            "it was written by a newer one. Start that version, or restore a backup made before the upgrade."
        )
    if current != set(scripts.get_heads()):
        command.upgrade(config, "head")
