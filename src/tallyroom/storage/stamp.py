"""The stamp of metadata, spool and event store, which reveals parts that do not belong together."""

import msgspec


class Stamp(msgspec.Struct, frozen=True):
    """The stamp of one of the three parts, from the first start of a server on it."""

    installation: str  # 128 random bits
    epoch: int  # the number of starts up to the last use of the part
