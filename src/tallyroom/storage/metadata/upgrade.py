"""Runs Alembic on the metadata database, or refuses one that is newer than this program."""

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from tallyroom.core.errors import TallyroomError


def upgrade(connection: Connection, database_name: str) -> None:
    """Run the missing migrations in the open transaction; raises `TallyroomError` if a newer version wrote it."""
    config = Config()
    config.set_main_option("script_location", "tallyroom.storage.metadata:migrations")
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    known_revisions = {script.revision for script in scripts.walk_revisions()}
    current_revisions = set(MigrationContext.configure(connection).get_current_heads())
    if unknown_revisions := current_revisions - known_revisions:
        raise TallyroomError(
            f"{database_name} has the schema {min(unknown_revisions)}, which this version of Tallyroom does not "
            "support: it was written by a newer one. Start that version, or restore a backup made before the upgrade."
        )
    if current_revisions != set(scripts.get_heads()):
        command.upgrade(config, "head")
