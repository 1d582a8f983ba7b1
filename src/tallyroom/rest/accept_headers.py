"""What a client accepts: `Accept` and `Accept-Encoding`, as lists with weights."""

_ZERO_WEIGHTS = {"q=0", "q=0.0", "q=0.00", "q=0.000"}


def accepts(accept_header: str, wanted_name: str) -> bool:
    """Return whether the header names `wanted_name` (lower case) with a weight above 0; a star does not name it."""
    for offer in accept_header.lower().split(","):
        name, *parameters = (part.replace(" ", "") for part in offer.split(";"))
        if name == wanted_name:
            return not _ZERO_WEIGHTS & set(parameters)
    return False
