"""OpenTelemetry that takes long to take apart."""

import zlib
from collections.abc import Callable, Iterator

from bench.hostile.request import Attack, Site, post


def on_opentelemetry() -> Iterator[Attack]:
    """`POST /v1/traces` and its like."""

    def sent(path: str, body: bytes, kind: str, **headers: str) -> Callable[[Site], list[bytes]]:
        return lambda site: [post(path, body, site.key, **{"content-type": kind} | headers)]

    protobuf = "application/x-protobuf"
    spans = _field(2, _field(2, b"")) * 200_000
    yield Attack("otlp", "200,000 empty scopes", sent("/v1/traces", _field(1, spans), protobuf))
    yield Attack("otlp", "2,000,000 unknown fields", sent("/v1/traces", b"\x78\x01" * 2_000_000, protobuf))
    packed = zlib.compress(_field(1, _field(2, _field(2, b"") * 3_000_000)), 9)
    yield Attack(
        "otlp",
        "3,000,000 empty spans, deflated",
        sent("/v1/traces", packed, protobuf, **{"content-encoding": "deflate"}),
    )
    points = _field(1, _field(2, _field(2, _field(5, _field(1, b"") * 1_000_000))))
    yield Attack("otlp", "1,000,000 empty points", sent("/v1/metrics", points, protobuf))
    deep = b""
    for _ in range(95):
        deep = _field(5, _field(1, deep))
    yield Attack(
        "otlp",
        "attributes in attributes",
        sent("/v1/logs", _field(1, _field(2, _field(2, _field(5, deep)))) * 3_000, protobuf),
    )
    texts = b'{"resourceSpans":[{"scopeSpans":[{"spans":[%b]}]}]}'
    many = texts % b",".join([b'{"name":"\\u0041","attributes":[{"key":"a","value":{"intValue":"1"}}]}'] * 60_000)
    yield Attack("otlp", "JSON of 60,000 spans", sent("/v1/traces", many, "application/json"))
    yield Attack(
        "otlp",
        "JSON of 4,000,000 values",
        sent("/v1/traces", texts % b",".join([b"{}"] * 2_400_000), "application/json"),
    )
    yield Attack("otlp", "JSON, nested 500,000 deep", sent("/v1/traces", b'{"a":' * 500_000, "application/json"))


def _field(number: int, value: bytes) -> bytes:
    """A field of protobuf that holds bytes."""
    size = len(value)
    length = bytearray()
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + value
