"""Only an IPv6 address needs brackets."""

import pytest

from tallyroom.core.host_names import bracket_ipv6


@pytest.mark.parametrize(
    ("host", "written"), [("::1", "[::1]"), ("127.0.0.1", "127.0.0.1"), ("store", "store"), ("", "")]
)
def test_a_host_stands_before_a_port(host: str, written: str) -> None:
    assert bracket_ipv6(host) == written
