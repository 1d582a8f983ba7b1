"""The session cookie, under http and under https (rules/people#cookies)."""

import re
from typing import Any

import pytest
from litestar.testing import RequestFactory

from harness.clients.cookies import COOKIE
from tallyroom.auth.cookies import SessionCookies, cookie_name
from tallyroom.auth.csrf import refuse_foreign_write
from tallyroom.core.errors import Forbidden
from tallyroom.core.ids import IdGenerator

OPEN, SECURE = SessionCookies(COOKIE, is_secure=False), SessionCookies(COOKIE, is_secure=True)
BASE_URL = "https://stats.example.com"
OWN, EARLIER, FOREIGN, OTHER = [f"trs_{IdGenerator().base62(43)}" for _ in range(4)]


def header(cookie: Any) -> set[str]:
    return set(cookie.to_header(header="").split("; "))


def sent(cookies: SessionCookies, **values: str) -> dict[str, str]:
    """The tokens that are read from these cookies; `host_` stands for the prefix."""
    named = "; ".join(f"{name.replace('host_', '__Host-')}={value}" for name, value in values.items())
    return cookies.read_tokens_by_cookie(RequestFactory().get("/", headers={"cookie": named}))


def test_the_cookie_under_http() -> None:
    assert header(OPEN.build_sign_in_cookie("t")) == {
        f"{COOKIE}=t",
        "HttpOnly",
        "Path=/",
        "SameSite=lax",
        "Max-Age=1209600",
    }


def test_the_cookie_under_https() -> None:
    parts = header(SECURE.build_sign_in_cookie("t"))
    assert {f"__Host-{COOKIE}=t", "Secure", "HttpOnly", "Path=/"} <= parts
    assert not any(part.startswith("Domain") for part in parts)


def test_its_name_has_eight_characters_of_each_installation() -> None:
    names = {cookie_name(f"{number:032x}") for number in range(500)}
    assert len(names) == 500
    assert all(re.fullmatch(r"tallyroom_[A-Za-z0-9_-]{8}", name) for name in names)
    assert cookie_name("a" * 32) == cookie_name("a" * 32)


def test_the_own_cookie_comes_first_then_the_earlier_one_then_those_of_other_installations() -> None:
    values = {"tallyroom_zzzzzzzz": FOREIGN, "tallyroom_session": EARLIER, COOKIE: OWN, "tallyroom_-_-_-_-_": OTHER}
    found = sent(OPEN, **values)
    assert list(found.items()) == [
        (COOKIE, OWN), ("tallyroom_session", EARLIER), ("tallyroom_zzzzzzzz", FOREIGN), ("tallyroom_-_-_-_-_", OTHER),
    ]  # fmt: skip # one line
    assert all(sent(OPEN, theme="dark", **{name: value}) == {name: value} for name, value in values.items())


@pytest.mark.parametrize(
    "name", ["session", "tallyroom_", "tallyroom_1234567", "tallyroom_123456789", "xtallyroom_12345678"]
)
def test_no_other_cookie_is_read(name: str) -> None:
    assert sent(OPEN, **{name: OWN}) == {}


def test_what_is_no_token_is_not_looked_up_and_a_flood_of_cookies_is_bounded() -> None:
    assert sent(OPEN, **{COOKIE: "nonsense", "tallyroom_session": EARLIER}) == {"tallyroom_session": EARLIER}
    flood = {f"tallyroom_{number:08}": OTHER for number in range(1_000)}
    assert len(sent(OPEN, **flood)) == 8
    assert next(iter(sent(OPEN, **flood, **{COOKIE: OWN}))) == COOKIE


def test_under_https_a_cookie_without_the_prefix_is_nothing() -> None:
    assert sent(SECURE, **{COOKIE: OWN, "tallyroom_session": EARLIER, "tallyroom_zzzzzzzz": FOREIGN}) == {}
    bound = {f"host_{COOKIE}": OWN, "host_tallyroom_session": EARLIER, "host_tallyroom_zzzzzzzz": FOREIGN}
    assert list(sent(SECURE, **bound).values()) == [OWN, EARLIER, FOREIGN]


def test_signing_out_takes_the_own_cookie_away_and_the_earlier_one_if_it_was_this_servers() -> None:
    assert [
        header(cookie) >= {f'__Host-{COOKIE}=""', "Max-Age=0", "Secure"} for cookie in SECURE.build_sign_out_cookies()
    ] == [True]
    ended = ["tallyroom_session", "tallyroom_zzzzzzzz"]
    assert [cookie.key for cookie in OPEN.build_sign_out_cookies(ended)] == [COOKIE, "tallyroom_session"]


def test_the_page_is_told_early_who_may_be_signed_in() -> None:
    assert OPEN.may_sign_in(f"theme=dark; {COOKIE}=x")
    assert OPEN.may_sign_in("tallyroom_session=x")
    assert not OPEN.may_sign_in("theme=dark")


def test_the_public_address_is_an_own_origin() -> None:
    # Behind a proxy the request itself says http and an inner host.
    request = RequestFactory().post("/", headers={"host": "inner:8480", "origin": BASE_URL})
    refuse_foreign_write(request, BASE_URL)
    with pytest.raises(Forbidden):
        refuse_foreign_write(request, "")
