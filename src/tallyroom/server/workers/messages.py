"""The messages between the parent and its children: one JSON document per line."""

import msgspec

from tallyroom.core.settings import Settings

MAX_LINE_BYTES = 4096
"""A pipe accepts this much as a whole or not at all."""

HAND_OVER = b"\n"
"""The parent's message to a child whose directory another child needs."""

_MAX_REFUSAL_LENGTH = 600


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """What a child has to do; the parent writes it to the child's standard input, which stays open while it lives.

    Attributes:
        name: the child's name in logs.
        settings: the child's settings; `data` is its own directory.
        heartbeats: the file descriptor of the pipe for its heartbeats.
        lock: the file descriptor of the whole data directory's lock, which is held until the last process with it ends.
        sockets: the file descriptors of the listening sockets; empty if the child only looks after its spool.
        neighbors: the data directories of the other children.
        is_locked: whether that lock is for the child's own directory, so that it needs no other.
        accept_loss: continue without a lost spool.
        is_successor: whether another child still has the directory, and stops when this one is prepared.
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
    """A heartbeat, from the event loop of a child, or from a thread before the loop runs.

    Attributes:
        is_open: whether everything is open, so that it comes from the event loop.
        worker: its id among the workers of the installation; "" before it has one.
        spool: the identity of its spool.
        is_prepared: whether it is loaded and only waits for the directory.
        is_ready: whether it serves.
        is_owned: whether anyone had signed up when it began to serve.
        refusal: why it cannot start; "" if it can.
        is_passing: whether the refusal is transient because a server does not answer.
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
