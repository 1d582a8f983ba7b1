"""Erasures shared by several workers, and which worker is responsible for which spool, in the metadata database."""

from typing import NamedTuple

from sqlalchemy import delete, func, insert, select, text, update

from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ErasurePart, SharedErasure


class OpenErasurePart(NamedTuple):
    """What one worker has to erase: an actor, or the whole environment if `actor` is None."""

    erasure_id: str
    scope: Scope
    actor: str | None


class ErasureProgress(NamedTuple):
    """The number of workers that have not finished their part, and the number of events erased so far."""

    open_part_count: int
    erased_count: int


_INSERT_PARTS = text(
    "INSERT INTO erasure_parts (erasure_id, spool) SELECT :erasure_id, identity FROM spools WHERE state = 'live'"
)

_GIVE_UP_SPOOL = text("""
UPDATE spools SET state = 'adopted', stored = acknowledged, kept_by = (
    SELECT identity FROM spools AS other LEFT JOIN workers ON spool = identity
    WHERE state = 'live' AND identity <> :spool
    ORDER BY lease_until > clock_timestamp() DESC NULLS LAST, identity LIMIT 1)
WHERE identity = :spool AND NOT EXISTS (SELECT FROM erasure_parts WHERE spool = :spool)
RETURNING identity""")
_PASS_ON = text("UPDATE spools SET kept_by = :keeper WHERE kept_by = :spool")
_FIND_KEEPER = text("SELECT kept_by FROM spools WHERE identity = :spool")


async def begin_erasure(db: Session, part: OpenErasurePart, asked_at_ms: int) -> None:
    """Ask the worker on each spool in use to do its part."""
    scope = part.scope
    values = {"id": part.erasure_id, "workspace_id": scope.workspace_id, "environment": scope.environment}
    await db.execute(insert(SharedErasure).values(**values, actor=part.actor, erased=0, asked_at_ms=asked_at_ms))
    await db.execute(_INSERT_PARTS, {"erasure_id": part.erasure_id})


async def list_open_parts(db: Session, spool_id: int) -> list[OpenErasurePart]:
    """Return the parts that the worker on a spool has not erased yet, oldest first."""
    rows = await db.scalars(
        select(SharedErasure)
        .join(ErasurePart, ErasurePart.erasure_id == SharedErasure.id)
        .where(ErasurePart.spool == spool_id)
        .order_by(SharedErasure.asked_at_ms, SharedErasure.id)
    )
    return [OpenErasurePart(row.id, Scope(row.workspace_id, row.environment), row.actor) for row in rows]


async def finish_part(db: Session, erasure_id: str, spool_id: int, erased_count: int) -> None:
    """Record that the worker on a spool has finished its part. A second call changes nothing."""
    delete_part = delete(ErasurePart).where(ErasurePart.erasure_id == erasure_id, ErasurePart.spool == spool_id)
    if (await db.execute(delete_part.returning(ErasurePart.spool))).first():
        new_total = SharedErasure.erased + erased_count
        await db.execute(update(SharedErasure).where(SharedErasure.id == erasure_id).values(erased=new_total))


async def read_progress(db: Session, erasure_id: str) -> ErasureProgress:
    """Return how far an erasure has got."""
    open_part_count = select(func.count()).where(ErasurePart.erasure_id == erasure_id).scalar_subquery()
    row = (await db.execute(select(open_part_count, SharedErasure.erased).where(SharedErasure.id == erasure_id))).one()
    return ErasureProgress(*row)


async def give_up_spool(db: Session, spool_id: int) -> bool:
    """Make another worker responsible for a spool's events. Return False and change nothing if a part is open."""
    if not (await db.execute(_GIVE_UP_SPOOL, {"spool": spool_id})).all():
        return False
    await db.execute(_PASS_ON, {"spool": spool_id, "keeper": await find_keeper(db, spool_id)})
    return True


async def find_keeper(db: Session, spool_id: int) -> int | None:
    """Return the spool whose worker is responsible for the events of an unused spool; None if there is none."""
    keeper_id: int | None = (await db.execute(_FIND_KEEPER, {"spool": spool_id})).scalar_one_or_none()
    return keeper_id


async def forget_erasure(db: Session, erasure_id: str) -> None:
    """Delete the record of a completed erasure."""
    await db.execute(delete(SharedErasure).where(SharedErasure.id == erasure_id))


async def forget_complete_erasures(db: Session, asked_before_ms: int) -> None:
    """Delete completed erasures requested so long ago that no one still waits for them."""
    is_open = select(ErasurePart.spool).where(ErasurePart.erasure_id == SharedErasure.id).exists()
    await db.execute(delete(SharedErasure).where(SharedErasure.asked_at_ms < asked_before_ms, ~is_open))
