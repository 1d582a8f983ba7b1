"""Listings can be published: a slug names them in the URLs of pictures."""

import sqlalchemy as sa
from alembic import op

revision = "0005_public_listings"
down_revision = "0004_listings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("listings") as table:  # nothing refers to it, so copying it affects no other table
        table.add_column(sa.Column("is_public", sa.Boolean, nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("slug", sa.String, nullable=True))
        table.create_unique_constraint(op.f("uq_listings_slug"), ["slug"])
        table.create_check_constraint(op.f("ck_listings_public_has_slug"), "slug IS NOT NULL OR NOT is_public")
    with op.batch_alter_table("listings") as table:
        table.alter_column("is_public", server_default=None)
