"""The session cookie of a test's server."""

import httpx

COOKIE = "tallyroom_abcdefgh"
"""Its name on servers that are made within a test."""


def cookie_of(answer: httpx.Response) -> str:
    """The name of the one cookie that an answer sets."""
    [cookie] = answer.headers.get_list("set-cookie")
    name: str = cookie.partition("=")[0]
    return name
