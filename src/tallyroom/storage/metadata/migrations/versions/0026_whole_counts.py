"""A bot records whether its servers were ever counted as a whole, and when each of its shards has posted."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0026_whole_counts"
down_revision = "0025_moved_away"
branch_labels = None
depends_on = None

_bots = sa.table(
    "bots",
    sa.column("workspace_id", sa.String),
    sa.column("id", sa.String),
    sa.column("server_count", sa.BigInteger),
    sa.column("shard_count", sa.BigInteger),
    sa.column("shards", sa.String),
    sa.column("server_count_is_whole", sa.Boolean),
)


def upgrade() -> None:
    op.add_column("bots", sa.Column("server_count_is_whole", sa.Boolean, nullable=True))
    op.add_column("bots", sa.Column("shards_ms", sa.String, nullable=True))
    op.execute(sa.update(_bots).where(_bots.c.server_count.is_not(None)).values(server_count_is_whole=True))
    sharded = sa.select(_bots).where(_bots.c.server_count.is_not(None), _bots.c.shards.is_not(None))
    for bot in op.get_bind().execute(sharded).all():
        posts = json.loads(bot.shards)
        if sum(posts.values()) != bot.server_count:  # a whole count came after them
            _set(bot, shards=None)
        elif posts.keys() != set(map(str, range(len(posts)))) or len(posts) != bot.shard_count:
            _set(bot, server_count_is_whole=None)


def _set(bot: sa.Row[tuple[object, ...]], **values: object) -> None:
    this = (_bots.c.workspace_id == bot.workspace_id) & (_bots.c.id == bot.id)
    op.execute(sa.update(_bots).where(this).values(values))
