"""How a host is written in an address."""


def bracketed(host: str) -> str:
    """Return a host as addresses with a port have it: an IPv6 address in brackets, anything else as it is."""
    return f"[{host}]" if ":" in host else host
