"""The tests that are about an event store in this process, and so have nothing to say of one on a server."""

_IS_ABOUT_FILES = "is about the files of the store"

EMBEDDED_ONLY = {
    "tests/store/backend/embedded/": _IS_ABOUT_FILES,
}
"""How the ids of these tests begin, each with the reason."""
