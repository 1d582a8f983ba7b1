"""The tests that are about an event store in this process, and so have nothing to say of one on a server."""

_IS_ABOUT_FILES = "is about the files of the store"
_KEEPS_TOKENS = "drops a partition and forgets its tokens, which a server may still need"

EMBEDDED_ONLY = {
    "tests/storage/event_store/backend/embedded/": _IS_ABOUT_FILES,
    "tests/storage/event_store/test_erase.py::test_a_month_of_which_nothing_is_left_is_dropped": _KEEPS_TOKENS,
}
"""How the ids of these tests begin, each with the reason."""
