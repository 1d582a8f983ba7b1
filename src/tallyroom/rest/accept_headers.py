"""What a client says that it takes: `Accept` and `Accept-Encoding`, as lists with weights."""

_ZERO_WEIGHTS = {"q=0", "q=0.0", "q=0.00", "q=0.000"}


def accepts(accept_header: str, wanted_name: str) -> bool:
    """Return True if the header names `wanted`, in lower case, without a weight of 0; a star does not name it."""
    for offer in accept_header.lower().split(","):
        name, *parameters = (part.replace(" ", "") for part in offer.split(";"))
        if name == wanted_name:
            return not _ZERO_WEIGHTS & set(parameters)
    return False
