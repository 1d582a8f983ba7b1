"""The messages between the parent and its children: one JSON document per line."""

import msgspec

from tallyroom.core.settings import Settings

MAX_LINE_BYTES = 4096  # a pipe accepts this much as a whole or not at all
HAND_OVER = b"\n"  # the parent's message to a child whose directory another child needs
_MAX_REFUSAL_LENGTH = 600


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """What a child has to do, written to its standard input, which stays open while the parent lives.

    `lock` and `sockets` are file descriptors. A child without `sockets` only looks after its spool. With
    `is_locked`, the lock is for its own directory. A successor waits until another child releases the directory.
    """

    name: str
    settings: Settings
    lock: int
    sockets: list[int] = []
    neighbors: list[str] = []
    is_locked: bool = False
    accept_loss: bool = False
    is_successor: bool = False


class Heartbeat(msgspec.Struct, frozen=True, kw_only=True):
    """A heartbeat from the event loop of a child (`is_open`), or from a thread before the loop runs.

    `worker` is its id in the installation, `refusal` why it cannot start. `is_passing` means that a server does not
    answer.
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
