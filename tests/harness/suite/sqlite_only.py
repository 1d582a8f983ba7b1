"""The tests that are about the SQLite file of the metadata, or look into it, and so have nothing to say of PostgreSQL."""

_LOOKS_INTO_THE_FILE = "reads the bytes of the file, or writes into it beside the server"
_IS_ABOUT_THE_FILE = "is about how SQLite locks, versions or plans"
_IS_NOTICED_AT_ONCE = "wants a change by another process noticed in the next turn of the event loop, not a moment later"
_COUNTS_TURNS = "gives a look-up as many turns of the event loop as one in the file needs"

SQLITE_ONLY = {
    "tests/auth/sign_in/test_resets.py::test_a_request_for_an_unknown_address_writes_nothing": _IS_ABOUT_THE_FILE,
    "tests/auth/test_api_keys.py::test_a_change_of_plan_by_the_command_line_holds": _IS_NOTICED_AT_ONCE,
    "tests/auth/test_api_keys.py::test_a_revocation_during_the_look_up_is_not_missed": _IS_NOTICED_AT_ONCE,
    "tests/auth/test_api_keys.py::test_a_flush_without_news_writes_nothing": _IS_ABOUT_THE_FILE,
    "tests/auth/test_signatures.py::test_no_look_through_all_bots": _IS_ABOUT_THE_FILE,
    "tests/bots/test_repository.py::test_no_other_tallies_are_read": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_a_look_up_answers_at_once": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_what_goes_through_many_rows": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_a_read_cannot_write": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_every_connection_is_durable": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_a_lock_that_is_kept_too_long": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_a_commit_that_the_disk": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_a_fault_of_the_program": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_the_version_changes_with": _IS_ABOUT_THE_FILE,
    "tests/storage/metadata/test_connection.py::test_the_version_stays_while": _IS_ABOUT_THE_FILE,
    "tests/queries/test_external.py::test_everybody_who_asks_at_once_shares_a_request": _COUNTS_TURNS,
    "tests/queries/test_external.py::test_a_slow_source_holds_up_nobody_else": _COUNTS_TURNS,
}
"""How the ids of these tests begin, each with the reason."""
