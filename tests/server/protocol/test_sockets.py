"""A port is held before anything else, or refused in a sentence."""

import errno
import socket
from contextlib import ExitStack

import pytest

from tallyroom.server.protocol.sockets import CannotListen, open_listeners


def refusal(host: str, port: int) -> str:
    with pytest.raises(CannotListen) as refused, open_listeners(host, port):
        pass
    return refused.value.message


def failing(monkeypatch: pytest.MonkeyPatch, code: int, *hosts: str) -> None:
    """Let `bind` fail on these hosts."""

    class Failing(socket.socket):
        def bind(self, address: tuple[str, int]) -> None:  # type: ignore[override] # the server binds by host and port
            if address[0] in hosts:
                raise OSError(code, errno.errorcode[code])
            super().bind(address)

    monkeypatch.setattr(socket, "socket", Failing)


def connects(address: tuple[str, int]) -> bool:
    with socket.socket() as client:
        return client.connect_ex(address) == 0


def test_it_listens_until_the_block_ends() -> None:
    with open_listeners("127.0.0.1", 0) as [held]:
        address = held.getsockname()
        assert connects(address)
        assert refusal(*address) == (
            f"Port {address[1]} on 127.0.0.1 is in use: stop the program that listens there, or choose another port with "
            "--port."
        )
        with (
            pytest.raises(CannotListen, match="choose another port with OTHER_PORT"),
            open_listeners(*address, port_option="OTHER_PORT"),
        ):
            pass
    assert not connects(address)
    with open_listeners(*address):
        assert connects(address)


def test_every_address_of_a_name_has_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 0)) for host in ("127.0.0.1", "127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with open_listeners("both", 0) as sockets:
        names = [held.getsockname() for held in sockets]
        assert [host for host, _ in names] == ["127.0.0.1", "127.0.0.2"]
        assert len({port for _, port in names}) == 1
        monkeypatch.undo()
        assert all(connects(name) for name in names)


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_both_kinds_of_addresses_at_once() -> None:
    """A socket for every IPv6 address does not take the port of IPv4."""
    with ExitStack() as held:
        try:
            [six] = held.enter_context(open_listeners("::", 0))
        except CannotListen:
            pytest.skip("no IPv6 here")
        with open_listeners("0.0.0.0", six.getsockname()[1]) as [four]:  # what an operator may name
            assert four.getsockname()[1] == six.getsockname()[1]


def test_an_address_that_is_missing_beside_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ::1 for `localhost` on a machine without IPv6."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 0)) for host in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    failing(monkeypatch, errno.EADDRNOTAVAIL, "127.0.0.2")
    with open_listeners("localhost", 0) as [held]:
        assert held.getsockname()[0] == "127.0.0.1"


def test_an_address_of_another_machine() -> None:
    assert refusal("192.0.2.1", 0) == "192.0.2.1 is not an address of this machine: choose another with --host."


@pytest.mark.parametrize("host", ["\udcff.example", "a" * 300])
def test_what_is_no_name(host: str) -> None:
    assert "is not an address or a name of this machine: choose another with --host." in refusal(host, 0)


def test_a_name_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert refusal("nowhere", 0).startswith("nowhere is not an address or a name of this machine")


def test_a_port_that_is_not_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, errno.EACCES, "127.0.0.1")
    words = "Port 80 on 127.0.0.1 cannot be used by this user: choose 1024 or higher with --port."
    assert refusal("127.0.0.1", 80) == words


def test_anything_else_is_told_as_the_system_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, errno.ENOBUFS, "127.0.0.1")
    assert refusal("127.0.0.1", 80) == "Port 80 on 127.0.0.1 cannot be used: ENOBUFS."


def test_what_was_held_before_a_refusal_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_listeners("127.0.0.1", 0) as [taken]:
        port = taken.getsockname()[1]
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in ("127.0.0.2", "127.0.0.1")]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        assert "is in use" in refusal("both", port)
        monkeypatch.undo()
        assert not connects(("127.0.0.2", port))
