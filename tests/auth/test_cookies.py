"""The session cookie, under http and under https (rules/people#cookies)."""

from typing import Any

import pytest
from litestar.testing import RequestFactory

from tallyroom.auth.cookies import cookie_of, no_cookie, session_cookie
from tallyroom.auth.csrf import refuse_foreign_write
from tallyroom.core.errors import Forbidden
from tallyroom.core.settings import Settings

SECURE = Settings(base_url="https://stats.example.com")


def header(cookie: Any) -> set[str]:
    return set(cookie.to_header(header="").split("; "))


def test_the_cookie_under_http() -> None:
    assert header(session_cookie("t", Settings())) == {
        "tallyroom_session=t", "HttpOnly", "Path=/", "SameSite=lax", "Max-Age=1209600",
    }  # fmt: skip # as in the header


def test_the_cookie_under_https() -> None:
    parts = header(session_cookie("t", SECURE))
    assert {"__Host-tallyroom_session=t", "Secure", "HttpOnly", "Path=/"} <= parts
    assert not any(part.startswith("Domain") for part in parts)


def test_signing_out_takes_the_cookie_away() -> None:
    assert "Max-Age=0" in header(no_cookie(SECURE))


def test_under_https_a_cookie_without_the_prefix_is_nothing() -> None:
    request = RequestFactory().get("/", headers={"cookie": "tallyroom_session=planted"})
    assert cookie_of(request, SECURE) is None
    assert cookie_of(request, Settings()) == "planted"


def test_the_public_address_is_an_own_origin() -> None:
    # Behind a proxy the request itself says http and an inner host.
    request = RequestFactory().post("/", headers={"host": "inner:8480", "origin": "https://stats.example.com"})
    refuse_foreign_write(request, SECURE.base_url)
    with pytest.raises(Forbidden):
        refuse_foreign_write(request, "")
