"""What Alembic loads: it runs the revisions on the connection and in the transaction of `tallyroom.db.migrate`."""

from alembic import context

from tallyroom.db.models import Model

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Model.metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
context.run_migrations()
