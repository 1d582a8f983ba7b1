"""What can be the address of a server."""

import httpx
import pytest

from tallyroom.import_export.connection import AddressUnusable, is_local, open_client


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8480", "ftp://x", "http://", "/v1/events", "http://[::1", "http://host:port", "http://☃.example"],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(AddressUnusable, match=r"is not the address of a server, such as http://127\.0\.0\.1:8480\.$"):
        open_client(url, {}, 1)


def test_certificates_and_proxies_that_are_not_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://proxy")
    with pytest.raises(AddressUnusable, match=r"^Cannot connect to http://e\.example: .*gopher"):
        open_client("http://e.example", {}, 1)
    monkeypatch.delenv("HTTP_PROXY")
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere")
    with pytest.raises(AddressUnusable, match=r"No such file or directory\.$"):
        open_client("https://e.example", {}, 1)


def test_a_path_in_front_stays() -> None:
    with open_client("http://e.example:81/below/", {"x-a": "b"}, 1) as client:
        request = client.build_request("POST", "/v1/events")
    assert (request.url, request.headers["x-a"]) == (httpx.URL("http://e.example:81/below/v1/events"), "b")


@pytest.mark.parametrize(
    ("url", "near"),
    [("http://127.0.0.1:1", True), ("http://[::1]:1", True), ("http://LOCALHOST", True), ("http://e.example", False)],
)
def test_which_servers_are_on_this_machine(url: str, *, near: bool) -> None:
    with open_client(url, {}, 1) as client:
        assert is_local(client) is near
