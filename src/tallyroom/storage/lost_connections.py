"""How quickly a silent connection ends, so that no caller waits for an answer that cannot come.

The same holds if the peer does not accept data. Slow answers are not affected: the peer's system still responds.
"""

import socket

# The silence before the first probe of the peer, the time to answer a probe, and the number of probes.
SILENT_SECONDS, PROBE_SECONDS, PROBE_COUNT = 3, 2, 2
LOST_MS = 1000 * (SILENT_SECONDS + PROBE_SECONDS * PROBE_COUNT)  # how long the peer may leave sent data unconfirmed

_TCP_OPTIONS = {
    "TCP_KEEPIDLE": SILENT_SECONDS,
    "TCP_KEEPINTVL": PROBE_SECONDS,
    "TCP_KEEPCNT": PROBE_COUNT,
    "TCP_USER_TIMEOUT": LOST_MS,
}

# Options for a TCP socket, as arguments of `setsockopt`.
SOCKET_OPTIONS = [
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    # Some systems lack some of them.
    *(
        (socket.IPPROTO_TCP, getattr(socket, name), value)
        for name, value in _TCP_OPTIONS.items()
        if hasattr(socket, name)
    ),
]
