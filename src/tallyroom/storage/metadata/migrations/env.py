"""Loaded by Alembic: runs the revisions on the connection and in the transaction of `migrate`."""

from alembic import context

from tallyroom.storage.metadata.models import Model

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Model.metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
context.run_migrations()
