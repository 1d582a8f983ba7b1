"""A network of nodes, each a network namespace of its own, between which a test loses what it wants to lose.

All are on one bridge, on which the test itself is, too. Nothing is refused and no connection is reset: what is cut off
gets no answer.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

_NOBODY = "02:00:00:00:00:ff"  # the address of no interface
_MOST_NETWORKS = 250


class NoNetwork(Exception):  # a fact about the machine
    """The machine lets nobody make one."""


@dataclass(frozen=True)
class Node:
    """A place in a network.

    Attributes:
        name: its namespace; "" is that of the test.
        address: its IP address.
        port: its end at the bridge.
    """

    name: str
    address: str
    port: str

    @property
    def command(self) -> tuple[str, ...]:
        """The words by which a command runs there, as the same process."""
        return ("ip", "netns", "exec", self.name) if self.name else ()


HERE = Node("", "127.0.0.1", "")
"""Where the test is, outside of any network."""


class Network:
    """A bridge with its nodes.

    Args:
        number: no other network has it.

    Attributes:
        here: the address of the test.

    Raises:
        NoNetwork: another one has it, or none can be made.
    """

    def __init__(self, number: int) -> None:
        self._name = f"tallyroom{number}"
        self._addresses = f"198.18.{number}"  # for tests of networks: no machine has them
        self._nodes: list[Node] = []
        self.here = f"{self._addresses}.1"
        _ip("link", "add", self._name, "type", "bridge")
        _ip("addr", "add", f"{self.here}/24", "dev", self._name)
        _ip("link", "set", self._name, "up")

    def add(self, name: str) -> Node:
        """A new node."""
        number = len(self._nodes) + 2
        node = Node(f"{self._name}-{name}", f"{self._addresses}.{number}", f"{self._name}-{number}")
        _ip("netns", "add", node.name)
        self._nodes.append(node)
        _ip("link", "add", node.port, "type", "veth", "peer", "name", "eth0", "netns", node.name)
        _ip("link", "set", node.port, "master", self._name, "up")
        _ip("-n", node.name, "addr", "add", f"{node.address}/24", "dev", "eth0")
        for device in ("eth0", "lo"):
            _ip("-n", node.name, "link", "set", device, "up")
        return node

    @contextmanager
    def cut(self, *ways: tuple[Node, Node]) -> Iterator[None]:
        """Lose all that the first node of each pair sends to the second while a block runs."""
        for one, other in ways:
            to = (other.address, "lladdr", _NOBODY, "nud", "permanent")
            _ip("-n", one.name, "neigh", "replace", *to, "dev", "eth0")
        try:
            yield
        finally:
            for one, other in ways:
                _ip("-n", one.name, "neigh", "del", other.address, "dev", "eth0")

    @contextmanager
    def unplugged(self, node: Node) -> Iterator[None]:
        """Lose all that comes from a node or goes there while a block runs."""
        _ip("link", "set", node.port, "down")
        try:
            yield
        finally:
            _ip("link", "set", node.port, "up")

    def close(self) -> None:
        """Take everything away."""
        for node in self._nodes:
            _ip("netns", "del", node.name)
        _ip("link", "del", self._name)


class Loopback:
    """Addresses of this machine for nodes, between which nothing can be lost; `here` is that of the test."""

    here = "127.0.0.1"

    def __init__(self) -> None:
        self._nodes = 0

    def add(self, _name: str) -> Node:
        """Another address."""
        self._nodes += 1
        return Node("", f"127.0.0.{self._nodes + 1}", "")


@contextmanager
def network() -> Iterator[Network]:
    """A new network; the test is skipped where none can be made, unless REQUIRE_NETWORKS=1 says that one can."""
    for number in range(_MOST_NETWORKS):
        try:
            made = Network(number)
        except NoNetwork as error:
            if "File exists" in str(error):  # a test that runs at the same time has it
                continue
            if os.environ.get("REQUIRE_NETWORKS") == "1":
                raise
            pytest.skip(f"only root can make networks, where the machine lets it: {error}")
        break
    try:
        yield made
    finally:
        made.close()


def _ip(*words: str) -> None:
    try:
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise NoNetwork("there is no program ip (apt install iproute2)") from error
    if done.returncode:
        raise NoNetwork(f"ip {' '.join(words)}: {done.stderr.strip()}")
