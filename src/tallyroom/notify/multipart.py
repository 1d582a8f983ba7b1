"""A body with fields and a picture, as a form would send it."""

import httpx

from tallyroom.core.fetch.messages import OutboundRequest


def multipart_request(url: str, fields: dict[str, str], name: str, png: bytes, boundary: str) -> OutboundRequest:
    """Return a request with fields and one picture.

    Args:
        url: where it goes.
        fields: the other fields, by name.
        name: the name of the field that has the picture.
        png: the picture.
        boundary: what separates the parts; it must not occur in them.
    """
    content_type = f"multipart/form-data; boundary={boundary}"
    files = {name: ("chart.png", png, "image/png")}
    form = httpx.Request("POST", url, headers={"content-type": content_type}, data=fields, files=files)
    return OutboundRequest(url=url, method="POST", headers={"content-type": content_type}, body=form.read())
