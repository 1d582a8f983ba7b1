"""How connections are made."""

import socket

from tallyroom.cluster.postgresql.server import set_socket_options


def test_a_connection_through_which_nothing_comes_is_given_up() -> None:
    with socket.socket() as own:
        set_socket_options(own)
        assert own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_a_connection_on_the_same_machine_needs_nothing_of_that() -> None:
    with socket.socket(socket.AF_UNIX) as own:
        set_socket_options(own)
        assert not own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
