"""How soon a connection ends through which nothing comes any more, so that nobody waits for what cannot come.

That holds for one that waits for an answer, and for one whose other end does not take what is sent. A slow answer is
not affected, because the system at the other end still says that it is there.
"""

import socket

SILENT_SECONDS, PROBE_SECONDS, PROBE_COUNT = 3, 2, 2
"""After how much silence the other end is asked whether it is there, how long it has to answer, and how many times."""

LOST_MS = 1000 * (SILENT_SECONDS + PROBE_SECONDS * PROBE_COUNT)
"""How long the other end may leave unconfirmed what was sent."""

_TCP_OPTIONS = {
    "TCP_KEEPIDLE": SILENT_SECONDS,
    "TCP_KEEPINTVL": PROBE_SECONDS,
    "TCP_KEEPCNT": PROBE_COUNT,
    "TCP_USER_TIMEOUT": LOST_MS,
}

SOCKET_OPTIONS = [
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    # Not every system has all of them.
    *(
        (socket.IPPROTO_TCP, getattr(socket, name), value)
        for name, value in _TCP_OPTIONS.items()
        if hasattr(socket, name)
    ),
]
"""What to set on a socket of TCP, as arguments of `setsockopt`."""
