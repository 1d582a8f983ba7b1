"""The spelling of hosts in addresses."""


def bracket_ipv6(host: str) -> str:
    """Return a host as in addresses with a port: an IPv6 address in brackets, anything else unchanged."""
    return f"[{host}]" if ":" in host else host
