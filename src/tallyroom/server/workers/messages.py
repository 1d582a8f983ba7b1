"""What the parent and its children tell each other: one JSON document in a line."""

import msgspec

from tallyroom.core.settings import Settings

MAX_LINE_BYTES = 4096
"""What a pipe takes as a whole or not at all."""

HAND_OVER = b"\n"
"""What the parent writes to a child whose directory another is to have."""

_MAX_REFUSAL_LENGTH = 600


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """What a child is to do; the parent writes it to the child's standard input, which stays open while it lives.

    Attributes:
        name: what logs call the child.
        settings: of the child; `data` is its own directory.
        heartbeats: the file descriptor of the pipe for its heartbeats.
        lock: that of the lock of the whole data directory, which lasts until the last process with it has ended.
        sockets: those of the sockets that listen; none if the child only answers for what came through its spool.
        neighbors: the data directories of the other children.
        is_locked: whether its directory is the one with that lock, so that it needs none of its own.
        accept_loss: continue without a lost spool.
        is_successor: whether another child still has the directory, which stops when this one is prepared.
    """

    name: str
    settings: Settings
    heartbeats: int
    lock: int
    sockets: list[int] = []
    neighbors: list[str] = []
    is_locked: bool = False
    accept_loss: bool = False
    is_successor: bool = False


class Heartbeat(msgspec.Struct, frozen=True, kw_only=True):
    """A sign of life: from the event loop of a child, or before that runs, from a thread.

    Attributes:
        is_open: whether everything is open, so that it comes from the event loop.
        worker: its id among the workers of the installation; "" before it has one.
        spool: the identity of its spool.
        is_prepared: whether it is loaded and only waits for the directory.
        is_ready: whether it serves.
        is_owned: whether anybody had signed up when it began to serve.
        refusal: why it cannot start; "" if it can.
        is_passing: whether it cannot because a server does not answer: it waits for that, or a later start may succeed.
    """

    is_open: bool = False
    worker: str = ""
    spool: int = 0
    is_prepared: bool = False
    is_ready: bool = False
    is_owned: bool = False
    refusal: str = ""
    is_passing: bool = False


read_assignment = msgspec.json.Decoder(Assignment).decode
read_heartbeat = msgspec.json.Decoder(Heartbeat).decode


def build_refusal_heartbeat(message: str, *, is_passing: bool = False) -> Heartbeat:
    """Return the last heartbeat of a child that cannot start."""
    return Heartbeat(refusal=message[:_MAX_REFUSAL_LENGTH], is_passing=is_passing)


def encode_line(message: Assignment | Heartbeat) -> bytes:
    """Return a message as a line."""
    return msgspec.json.encode(message) + b"\n"
