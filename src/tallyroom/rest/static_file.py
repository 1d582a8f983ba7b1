"""A file in memory, with its compressed forms, and the answers made of it."""

import gzip
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from tallyroom.rest.accept_headers import accepts
from tallyroom.rest.answer import Header, HttpAnswer

IMMUTABLE = b"public, max-age=31536000, immutable"  # for a file whose name changes with its content
REVALIDATE = b"no-cache"  # for a file whose name stays: it may be cached, but must be revalidated each time
_MEDIA_TYPES = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".png": b"image/png",
    ".svg": b"image/svg+xml",
    ".txt": b"text/plain; charset=utf-8",
    ".woff2": b"font/woff2",
}
_DEFAULT_MEDIA_TYPE = b"application/octet-stream"
_CODINGS = ("br", "gzip")  # the preferred one first


def compress_body(body: bytes) -> dict[str, bytes]:
    """Compress a file that no build has compressed; the same bytes give the same results."""
    return {"": body, "gzip": gzip.compress(body, mtime=0)}


class StaticFile(NamedTuple):
    """A file as it is sent: its bytes by content coding ("" for none), and its entity tag, b"" if it is immutable."""

    body_by_coding: Mapping[str, bytes]
    content_type: bytes
    headers: Sequence[Header]
    entity_tag: bytes

    @classmethod
    def of(
        cls, name: str, body_by_coding: Mapping[str, bytes], cache_control: bytes, headers: Sequence[Header]
    ) -> "StaticFile":
        """Return the file with this name; its type depends on the name, and its tag on the bytes."""
        content_type = _MEDIA_TYPES.get(name[name.rfind(".") :], _DEFAULT_MEDIA_TYPE)
        answer_headers = [(b"cache-control", cache_control), *headers]
        if len(body_by_coding) > 1:
            answer_headers.append((b"vary", b"accept-encoding"))
        entity_tag = b"" if cache_control is IMMUTABLE else sha256(body_by_coding[""]).hexdigest()[:32].encode()
        return cls(body_by_coding, content_type, answer_headers, entity_tag)

    def build_answer(self, request_headers: Sequence[Header]) -> HttpAnswer:
        """Answer a request: in a coding that it accepts, or "not modified" if it has this version."""
        accept_encoding = _join_header_values(request_headers, b"accept-encoding")
        coding = next((name for name in _CODINGS if name in self.body_by_coding and accepts(accept_encoding, name)), "")
        answer_headers = [*self.headers]
        if self.entity_tag:
            quoted_tag = b'"%b%b"' % (self.entity_tag, coding.encode())
            answer_headers.append((b"etag", quoted_tag))
            known_tags = {
                candidate.strip().removeprefix("W/")
                for candidate in _join_header_values(request_headers, b"if-none-match").split(",")
            }
            if {"*", quoted_tag.decode()} & known_tags:
                return HttpAnswer(304, b"", answer_headers, self.content_type)
        if coding:
            answer_headers.append((b"content-encoding", coding.encode()))
        return HttpAnswer(200, self.body_by_coding[coding], answer_headers, self.content_type)


def _join_header_values(headers: Sequence[Header], header_name: bytes) -> str:
    return b",".join(value for name, value in headers if name == header_name).decode("latin-1")
