"""A body with fields and a picture, as a form would send it (RFC 7578)."""

from collections.abc import Iterator

from tallyroom.core.fetch.messages import OutboundRequest


def build_multipart_request(
    url: str, fields: dict[str, str], picture_field: str, png: bytes, boundary: str
) -> OutboundRequest:
    """Return a request with fields and one picture; the `boundary` between the parts must not occur in them."""
    disposition_and_body_pairs = [(f'name="{field_name}"', value.encode()) for field_name, value in fields.items()]
    disposition_and_body_pairs.append((f'name="{picture_field}"; filename="chart.png"\r\nContent-Type: image/png', png))
    return OutboundRequest(
        url=url,
        method="POST",
        headers={"content-type": f"multipart/form-data; boundary={boundary}"},
        body=b"".join(_encode_parts(disposition_and_body_pairs, boundary)),
    )


def _encode_parts(disposition_and_body_pairs: list[tuple[str, bytes]], boundary: str) -> Iterator[bytes]:
    for disposition, body in disposition_and_body_pairs:
        yield f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n".encode()
        yield body + b"\r\n"
    yield f"--{boundary}--\r\n".encode()
