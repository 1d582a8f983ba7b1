"""What the server asks of a process that draws, and what that answers; on the wire between them as MessagePack."""

from enum import StrEnum

import msgspec

from tallyroom.core.errors import Detail
from tallyroom.images.schemas import GraphRequest


class Format(StrEnum):
    """What a picture is."""

    SVG = "image/svg+xml"
    PNG = "image/png"

    @classmethod
    def of(cls, path: str) -> "Format":
        """The format that the end of a path names; SVG when it names none."""
        return cls.PNG if path.endswith(".png") else cls.SVG


class Fed(msgspec.Struct, frozen=True):
    """Where the points of a graph were fed, all in seconds since 1970 UTC.

    Attributes:
        starts: the moments of points before which nothing was fed for long.
        span: from when to when something is known, however long nothing was fed at its end.
    """

    starts: list[float]
    span: tuple[float, float] | None


class RenderJob(msgspec.Struct, frozen=True):
    """A picture to draw. It is read where it is drawn: that takes long, too, and the server has others to serve.

    Attributes:
        format: what it is to be.
        data: JSON: the points of `parameters`, or all of a `GraphRequest`.
        parameters: a request of which the points are missing; None when `data` is all.
        fed: where its points were fed; None when the points themselves are all that tells.
    """

    format: Format
    data: bytes
    parameters: GraphRequest | None = None
    fed: Fed | None = None


class Picture(msgspec.Struct, frozen=True, tag=True):
    """A picture as it is sent; pictures with the same tag are the same."""

    format: Format
    body: bytes
    tag: str


class RenderRefusal(msgspec.Struct, frozen=True, tag=True):
    """A job that asks for no picture, as `ValidationFailed` has it."""

    message: str
    details: list[Detail]


class RenderFailure(msgspec.Struct, frozen=True, tag=True):
    """A fault of the program: the job may be right."""

    reason: str


RenderReply = Picture | RenderRefusal | RenderFailure

REPLY: msgspec.msgpack.Decoder[RenderReply] = msgspec.msgpack.Decoder(RenderReply)
JOB = msgspec.msgpack.Decoder(RenderJob)
LENGTH_BYTES = 4
"""Each message follows its length, as a number of so many bytes, the highest first."""


def framed(message: RenderJob | RenderReply) -> bytes:
    """A message with its length in front."""
    written = msgspec.msgpack.encode(message)
    return len(written).to_bytes(LENGTH_BYTES, "big") + written
