"""How a host is written in an address."""


def bracket_ipv6(host: str) -> str:
    """Return a host as addresses with a port have it: an IPv6 address in brackets, anything else as it is."""
    return f"[{host}]" if ":" in host else host
