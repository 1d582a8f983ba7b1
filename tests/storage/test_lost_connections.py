"""Both ways in which nothing comes take equally long."""

import socket

import pytest

from tallyroom.storage.lost_connections import LOST_MS, SOCKET_OPTIONS


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
def test_a_socket_is_given_up_after_seven_seconds() -> None:
    with socket.socket() as own:
        for option in SOCKET_OPTIONS:
            own.setsockopt(*option)
        assert own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        probes = own.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT)
        between = own.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL)
        after = own.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
        assert after + probes * between == 7
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == LOST_MS == 7000
