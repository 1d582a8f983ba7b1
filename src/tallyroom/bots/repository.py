"""Listings in the metadata database."""

from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, delete, insert, select, text, update

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.votes import VoterTally
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Bot, Listing, Model

VoterKey = tuple[str, str]
"""Bot and user ids."""

# Bypasses the ORM, because a batch has thousands of rows.
_BOTS_TABLE, _VOTERS_TABLE, _OUTBOX = (Model.metadata.tables[name] for name in ("bots", "voters", "feed_outbox"))
_CHUNK_ROWS = 250  # rows per statement, so that other requests can run in between
_BIND_PREFIX = "b_"  # a bound value must not have a column's name

_BOT_COLUMNS = ", ".join(BotRow.__struct_fields__)
_TALLY_COLUMNS = ", ".join(VoterTally.__struct_fields__)
_FIND_BOTS = f"SELECT {_BOT_COLUMNS} FROM bots WHERE workspace_id = ? AND id IN"  # noqa: S608 # column names of ours
_LIST_CHANGED_IDS = "SELECT id FROM bots WHERE workspace_id = ? AND revision > ?"
_FIND_REVISION = "SELECT revision FROM listings WHERE workspace_id = ?"
_FIND_PUBLISHED_WORKSPACE = "SELECT workspace_id FROM listings WHERE slug = ? AND is_public"
_FIND_TALLY = f"SELECT {_TALLY_COLUMNS} FROM voters WHERE workspace_id = ? AND bot_id = ? AND user_id = ?"  # noqa: S608 # as above
# A join, because SQLite reads all voters for pairs in a list. Text, because SQLAlchemy renders a join again each time.
_LOAD_TALLIES = {
    size: text(f"""
    WITH wanted (bot, voter) AS (VALUES {", ".join(f"(:b{index}, :u{index})" for index in range(size))})
    SELECT bot_id, user_id, {_TALLY_COLUMNS} FROM wanted JOIN voters ON bot_id = bot AND user_id = voter
    WHERE workspace_id = :workspace_id""")  # noqa: S608 # as above
    for size in (1, 16, _CHUNK_ROWS)
}
_LIST_VOTERS = f"""
    SELECT user_id, {_TALLY_COLUMNS} FROM voters WHERE workspace_id = ? AND bot_id = ?
    ORDER BY weight DESC, votes DESC, last_vote_ms, user_id LIMIT ? OFFSET ?
"""  # noqa: S608 # as above
_COUNT_VOTERS_BEFORE = """
    SELECT count(*) FROM voters
    WHERE workspace_id = ? AND bot_id = ? AND (-weight, -votes, last_vote_ms, user_id) < (?, ?, ?, ?)
"""


class WaitingLines(NamedTuple):
    """Lines that wait for one table of the event store, up to the outbox entry `last_id`."""

    last_id: int
    body: bytes


async def find_bots(database: Database, workspace_id: str, bot_ids: Sequence[str]) -> list[BotRow | None]:
    """Find a small number of bots of the workspace, in the requested order; None in place of an unknown bot."""
    placeholders = ", ".join("?" * len(bot_ids))
    rows = await database.look_up_all(f"{_FIND_BOTS} ({placeholders})", workspace_id, *bot_ids)
    bot_by_id = {bot.id: bot for bot in map(_read_bot, rows)}
    return [bot_by_id.get(bot_id) for bot_id in bot_ids]


async def find_revision(database: Database, workspace_id: str) -> int:
    """Find the revision of the workspace's listing; 0 before anything was fed to it."""
    row = await database.look_up(_FIND_REVISION, workspace_id)
    return 0 if row is None else int(row[0])


async def find_published_workspace(database: Database, slug: str) -> str | None:
    """Find the workspace whose listing is published under `slug`; None if there is none."""
    row = await database.look_up(_FIND_PUBLISHED_WORKSPACE, slug)
    return None if row is None else str(row[0])


async def list_changed_ids(database: Database, workspace_id: str, revision: int) -> list[str]:
    """List the ids of bots that changed after a revision, in no particular order."""
    return [bot_id for (bot_id,) in await database.look_up_all(_LIST_CHANGED_IDS, workspace_id, revision)]


async def find_tally(database: Database, workspace_id: str, voter: VoterKey) -> VoterTally | None:
    """Find the tally of a user's votes for a bot; None if they have not voted for it."""
    row = await database.look_up(_FIND_TALLY, workspace_id, *voter)
    return None if row is None else VoterTally(*row)


async def list_voters(
    database: Database, workspace_id: str, bot_id: str, offset: int, limit: int
) -> list[tuple[str, VoterTally]]:
    """List voters of a bot in leaderboard order: by weight, then votes, then earliest last vote, then id."""
    rows = await database.scan(_LIST_VOTERS, workspace_id, bot_id, limit, offset)
    return [(user_id, VoterTally(*tally)) for user_id, *tally in rows]


async def count_voters_before(database: Database, workspace_id: str, voter: VoterKey, tally: VoterTally) -> int:
    """Count the voters before this one on the leaderboard."""
    bot_id, user_id = voter
    order_key = (-tally.weight, -tally.votes, tally.last_vote_ms, user_id)
    (row,) = await database.scan(_COUNT_VOTERS_BEFORE, workspace_id, bot_id, *order_key)
    return int(row[0])


async def increment_revision(db: Session, workspace_id: str) -> int:
    """Increment the revision of the workspace's listing; no one else can do so before this transaction ends."""
    revision = await db.scalar(
        update(Listing)
        .where(Listing.workspace_id == workspace_id)
        .values(revision=Listing.revision + 1)
        .returning(Listing.revision)
    )
    if revision is None:
        await db.execute(insert(Listing).values(workspace_id=workspace_id, revision=1, is_public=False))
        return 1
    return int(revision)


async def stream_bot_chunks(db: Session, workspace_id: str) -> AsyncIterator[list[BotRow]]:
    """Yield all bots of the workspace in small lists, so that other requests can run in between."""
    rows = await db.stream(select(*_BOTS_TABLE.columns).where(_BOTS_TABLE.c.workspace_id == workspace_id))
    async for chunk in rows.partitions(_CHUNK_ROWS):
        yield [_read_bot(row) for row in chunk]


async def load_bots(db: Session, workspace_id: str, bot_ids: Iterable[str]) -> dict[str, BotRow]:
    """Load the bots that exist, by id; no one else can change them before this transaction ends."""
    bot_by_id: dict[str, BotRow] = {}
    for chunk in _split_chunks(bot_ids, _CHUNK_ROWS):
        rows = await db.execute(
            select(*_BOTS_TABLE.columns).where(_BOTS_TABLE.c.workspace_id == workspace_id, _BOTS_TABLE.c.id.in_(chunk))
        )
        bot_by_id |= {bot.id: bot for bot in map(_read_bot, rows)}
    return bot_by_id


async def load_tallies(db: Session, workspace_id: str, voters: Iterable[VoterKey]) -> dict[VoterKey, VoterTally]:
    """Load the tallies of the voters who have voted."""
    tally_by_voter: dict[VoterKey, VoterTally] = {}
    for chunk in _split_chunks(voters, _CHUNK_ROWS):
        row_count = next(row_count for row_count in _LOAD_TALLIES if row_count >= len(chunk))
        parameters = {"workspace_id": workspace_id}
        for index in range(row_count):  # the last one fills up
            parameters[f"b{index}"], parameters[f"u{index}"] = chunk[min(index, len(chunk) - 1)]
        rows = await db.execute(_LOAD_TALLIES[row_count], parameters)
        tally_by_voter |= {(bot_id, user_id): VoterTally(*tally) for bot_id, user_id, *tally in rows}
    return tally_by_voter


async def store_bots(db: Session, bots: Iterable[BotRow], existing_ids: Collection[str]) -> None:
    """Write bots; those in `existing_ids` already exist."""
    connection = await db.connection()
    update_statement = _build_update(_BOTS_TABLE, ("workspace_id", "id"))
    for chunk in _split_chunks(bots, _CHUNK_ROWS):
        new_rows = [msgspec.structs.asdict(bot) for bot in chunk if bot.id not in existing_ids]
        updated_rows = [_prefix_columns(msgspec.structs.asdict(bot)) for bot in chunk if bot.id in existing_ids]
        if new_rows:
            await connection.execute(insert(_BOTS_TABLE), new_rows)
        if updated_rows:
            await connection.execute(update_statement, updated_rows)


async def store_tallies(
    db: Session, workspace_id: str, tally_by_voter: Mapping[VoterKey, VoterTally], existing_voters: Collection[VoterKey]
) -> None:
    """Write tallies; those in `existing_voters` already exist."""
    connection = await db.connection()
    update_statement = _build_update(_VOTERS_TABLE, ("workspace_id", "bot_id", "user_id"))
    for chunk in _split_chunks(tally_by_voter.items(), _CHUNK_ROWS):
        row_by_voter = {
            voter: {"workspace_id": workspace_id, "bot_id": voter[0], "user_id": voter[1]}
            | msgspec.structs.asdict(tally)
            for voter, tally in chunk
        }
        new_rows = [row for voter, row in row_by_voter.items() if voter not in existing_voters]
        updated_rows = [_prefix_columns(row) for voter, row in row_by_voter.items() if voter in existing_voters]
        if new_rows:
            await connection.execute(insert(_VOTERS_TABLE), new_rows)
        if updated_rows:
            await connection.execute(update_statement, updated_rows)


async def has_webhook_secret(db: Session, workspace_id: str, bot_id: str) -> bool | None:
    """Return whether the workspace's bot has a webhook secret; None if there is no such bot."""
    return await db.scalar(
        select(Bot.webhook_secret.is_not(None)).where(Bot.workspace_id == workspace_id, Bot.id == bot_id)
    )


async def store_webhook_secret(db: Session, workspace_id: str, bot_id: str, ciphertext: str | None) -> None:
    """Replace the webhook secret of a bot; None deletes it."""
    bot_condition = (Bot.workspace_id == workspace_id) & (Bot.id == bot_id)
    await db.execute(update(Bot).where(bot_condition).values(webhook_secret=ciphertext))


async def add_outbox_lines(db: Session, table_name: str, lines: Sequence[bytes]) -> None:
    """Add lines that wait for a table of the event store."""
    if lines:
        await db.execute(insert(_OUTBOX).values(table_name=table_name, lines=b"".join(lines)))


async def find_next_outbox_lines(db: Session, table_name: str, max_bytes: int) -> WaitingLines | None:
    """Find the lines that have waited longest for a table, up to `max_bytes` or one entry; None if none wait."""
    rows = await db.stream(
        select(_OUTBOX.c.id, _OUTBOX.c.lines).where(_OUTBOX.c.table_name == table_name).order_by(_OUTBOX.c.id)
    )
    line_blocks: list[bytes] = []
    last_id = byte_count = 0
    async for entry_id, lines in rows:
        if line_blocks and byte_count + len(lines) > max_bytes:
            break
        last_id, byte_count = entry_id, byte_count + len(lines)
        line_blocks.append(lines)
    await rows.close()
    return WaitingLines(last_id, b"".join(line_blocks)) if line_blocks else None


async def delete_outbox_lines(db: Session, table_name: str, last_id: int) -> None:
    """Delete the lines up to `last_id`, which are now in the event store."""
    await db.execute(delete(_OUTBOX).where(_OUTBOX.c.table_name == table_name, _OUTBOX.c.id <= last_id))


async def find_outbox_id_range(database: Database) -> tuple[int, int]:
    """Find the ids of the first and the last waiting entry; zeros if there is none."""
    ((oldest_id, newest_id),) = await database.look_up_all("SELECT min(id), max(id) FROM feed_outbox")
    return oldest_id or 0, newest_id or 0


def _read_bot(row: Sequence[Any]) -> BotRow:
    bot = BotRow(*row)
    bot.certified, bot.deleted, bot.unlisted = bool(bot.certified), bool(bot.deleted), bool(bot.unlisted)
    return bot


def _build_update(table: Any, key_names: Sequence[str]) -> Any:
    """Return an UPDATE of all columns, for rows that `_prefix_columns` has prepared."""
    new_values: dict[str, Any] = {
        column.name: bindparam(_BIND_PREFIX + column.name) for column in table.columns if column.name not in key_names
    }
    return update(table).where(*(table.c[key] == bindparam(_BIND_PREFIX + key) for key in key_names)).values(new_values)


def _prefix_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    return {_BIND_PREFIX + name: value for name, value in row.items()}


def _split_chunks(entries: Iterable[Any], chunk_size: int) -> Iterator[list[Any]]:
    iterator = iter(entries)
    while chunk := list(islice(iterator, chunk_size)):
        yield chunk
