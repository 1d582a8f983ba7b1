"""What a client says that it takes: `Accept` and `Accept-Encoding`, as lists with weights."""

_WEIGHTLESS = {"q=0", "q=0.0", "q=0.00", "q=0.000"}


def takes(offers: str, form: str) -> bool:
    """Return True if the header names `form`, in lower case, without a weight of 0; a star does not name it."""
    for offer in offers.lower().split(","):
        name, *parameters = (part.replace(" ", "") for part in offer.split(";"))
        if name == form:
            return not _WEIGHTLESS & set(parameters)
    return False
