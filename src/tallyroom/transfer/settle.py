"""Brings one batch to its end: sent, and sent again without the rows that the server refuses.

A refused request is not remembered by the server, so the rest of a batch goes under the key of the whole batch. That
way a later run can never count the rest twice, even when nothing is wrong any more with a row that was refused, as with
an event of the day after tomorrow: the server then answers 422, because it knows the key with another body.
"""

from typing import Any, Final

import msgspec

from tallyroom.core.errors import TallyroomError, dotted
from tallyroom.transfer.batch import Batch, SentRow
from tallyroom.transfer.delivery import Delivery, ImportStopped, Reply
from tallyroom.transfer.inlet import Inlet
from tallyroom.transfer.row import Refused

_TOO_LARGE: Final = 413
_KEY_USED: Final = 422

_Faults = dict[int, str]
"""The reason by place in the batch."""


class Outcome(msgspec.Struct, kw_only=True):
    """What became of a batch.

    Attributes:
        accepted: rows that this run made count.
        replayed: rows that an earlier run, or a request whose answer was lost, had made count.
        refused: rows that do not count, by line.
        changed: whether an earlier run left out rows that this one would not, so that `replayed` is too high.
    """

    accepted: int = 0
    replayed: int = 0
    refused: list[Refused]
    changed: bool = False


def settle(batch: Batch, delivery: Delivery) -> Outcome:
    """Send a batch and say what became of each row.

    Raises:
        ImportStopped: it is no use to go on.
    """
    outcome = Outcome(refused=list(batch.refused))
    _send(batch.rows, batch.key, delivery, outcome)
    outcome.refused.sort(key=lambda row: row.line)
    return outcome


def settle_behind(batch: Batch, front: str, delivery: Delivery) -> Outcome | None:
    """Send a batch whose rows must not arrive before those of the batch with the key `front`, which is under way.

    Returns None unless it counts; then `settle` has to be asked when the other one is settled.
    """
    reply = delivery.post_behind(batch.body(), batch.key, front) if batch.key else None
    if reply is None or reply.status != delivery.inlet.accepted or delivery.inlet.proof not in reply.body:
        return None
    outcome = Outcome(refused=list(batch.refused))
    _count(batch.rows, reply, outcome)
    return outcome


def _send(rows: list[SentRow], key: str, delivery: Delivery, outcome: Outcome) -> None:
    while rows:
        reply = delivery.post(_body(rows, delivery), key)
        _refuse_stranger(reply, delivery.inlet)
        if reply.status == _KEY_USED:
            _find_what_was_sent(rows, key, delivery, outcome)
            return
        if reply.status == delivery.inlet.accepted:
            _count(rows, reply, outcome)
            return
        faults = _named_by(reply, delivery.inlet.array, len(rows)) or _found_in(rows, delivery)
        if not faults and len(rows) == 1:
            faults = {0: str(reply.body.get("message", f"refused with {reply.status}"))}
        if not faults:
            half = len(rows) // 2
            _send(rows[:half], key and f"{key}-a", delivery, outcome)
            _send(rows[half:], key and f"{key}-b", delivery, outcome)
            return
        rows = _taken_out(rows, faults, outcome)


def _find_what_was_sent(rows: list[SentRow], key: str, delivery: Delivery, outcome: Outcome) -> None:
    """An earlier run sent this batch without some rows; if they are those that we would refuse, the server says so."""
    faults = _found_in(rows, delivery)
    sent = [row for at, row in enumerate(rows) if at not in faults]
    if faults and sent:
        reply = delivery.post(_body(sent, delivery), key)
        if reply.status == delivery.inlet.accepted:
            _count(_taken_out(rows, faults, outcome), reply, outcome)
            return
    outcome.replayed += len(rows)
    outcome.changed = True


def _body(rows: list[SentRow], delivery: Delivery) -> bytes:
    return delivery.inlet.body([row.item for row in rows])


def _count(rows: list[SentRow], reply: Reply, outcome: Outcome) -> None:
    outcome.replayed += reply.repeated(len(rows))
    outcome.accepted += len(rows) - reply.repeated(len(rows))


def _taken_out(rows: list[SentRow], faults: _Faults, outcome: Outcome) -> list[SentRow]:
    outcome.refused += [Refused(row.line, faults[at], row.shown) for at, row in enumerate(rows) if at in faults]
    return [row for at, row in enumerate(rows) if at not in faults]


def _refuse_stranger(reply: Reply, inlet: Inlet) -> None:
    """Take nobody's word for what became of the rows but a Tallyroom server's.

    Raises:
        ImportStopped: something else has answered.
    """
    said = inlet.proof if reply.status == inlet.accepted else "error"
    if said not in reply.body and reply.status != _TOO_LARGE:  # a proxy may say that, and it takes smaller bodies
        raise ImportStopped(f"The address answers {reply.status}, and not as a Tallyroom server does.")


def _named_by(reply: Reply, array: str, count: int) -> _Faults:
    """What the server names."""
    faults: _Faults = {}
    details = reply.body.get("details")
    for detail in details if isinstance(details, list) else []:
        match detail:
            case {"path": [str(name), int(at), *field], "message": str(message)} if name == array and 0 <= at < count:
                faults[at] = "; ".join(filter(None, [faults.get(at, ""), _reason(field, message)]))
    return faults


def _reason(field: list[Any], message: str) -> str:
    return f"{dotted(field)}: {message}" if field else message


def _found_in(rows: list[SentRow], delivery: Delivery) -> _Faults:
    """What our own copy of the server's rules finds, for when the server names nothing."""
    faults: _Faults = {}
    rule = delivery.inlet.rule
    if rule is None:
        return faults
    for at, row in enumerate(rows):
        try:
            rule(row.item, delivery.now_ms())
        except TallyroomError as error:
            details = [_reason(detail.path, detail.message) for detail in error.details if detail.path]
            faults[at] = "; ".join(details) or error.message
    return faults
