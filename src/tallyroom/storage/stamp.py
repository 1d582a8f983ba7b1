"""The stamp that metadata, spool and event store carry, which reveals parts that do not belong together."""

import msgspec


class Stamp(msgspec.Struct, frozen=True):
    """The mark that each of the three parts carries once a server has started on it.

    Attributes:
        installation: 128 random bits as text; the same in all three parts.
        epoch: the number of starts up to the last use of the part; it advances in all three parts.
    """

    installation: str
    epoch: int
