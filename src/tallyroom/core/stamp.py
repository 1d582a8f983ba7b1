"""What metadata, spool and event store say of themselves, so that parts that do not belong together are told apart."""

import msgspec


class Stamp(msgspec.Struct, frozen=True):
    """What one of the three parts carries once a server has started on it.

    Attributes:
        installation: 128 random bits as text; the same in all three.
        epoch: how often a server had started when the part was last in use; it moves in all three.
    """

    installation: str
    epoch: int
