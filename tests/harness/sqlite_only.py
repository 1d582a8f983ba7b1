"""The tests that are about the SQLite file of the metadata, or look into it, and so have nothing to say of PostgreSQL."""

_LOOKS_INTO_THE_FILE = "reads the bytes of the file, or writes into it beside the server"
_IS_ABOUT_THE_FILE = "is about how SQLite locks, versions or plans"
_HAS_A_NUL = "wants the same words about an id with a NUL, of which PostgreSQL says what is wrong"

SQLITE_ONLY = {
    "tests/analytics/auth/test_login.py::test_tokens_and_passwords_are_nowhere_at_rest": _LOOKS_INTO_THE_FILE,
    "tests/analytics/auth/test_resets.py::test_a_write_that_has_to_wait_learns_nothing_either": _IS_ABOUT_THE_FILE,
    "tests/analytics/invites/test_acceptance.py::test_the_token_is_not_stored": _LOOKS_INTO_THE_FILE,
    "tests/analytics/keys/test_keys.py::test_secrets_are_nowhere_at_rest": _LOOKS_INTO_THE_FILE,
    "tests/analytics/keys/test_keys.py::test_another_workspaces_key_is_as_missing": _HAS_A_NUL,
    "tests/analytics/tokens/test_tokens.py::test_another_workspaces_token_is_as_missing": _HAS_A_NUL,
    "tests/analytics/tokens/test_tokens.py::test_secrets_are_nowhere_at_rest": _LOOKS_INTO_THE_FILE,
    "tests/auth/test_api_keys.py::test_a_change_of_plan_by_the_command_line_holds": _LOOKS_INTO_THE_FILE,
    "tests/auth/test_api_keys.py::test_a_revocation_during_the_look_up_is_not_missed": _LOOKS_INTO_THE_FILE,
    "tests/auth/test_resets.py::test_without_an_account_as_much_is_written": _IS_ABOUT_THE_FILE,
    "tests/auth/test_sessions.py::test_a_session_holds_while_nothing_can_be_written": _IS_ABOUT_THE_FILE,
    "tests/auth/test_signatures.py::test_no_look_through_all_bots": _IS_ABOUT_THE_FILE,
    "tests/bots/test_repository.py::test_no_other_tallies_are_read": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_look_up_answers_at_once": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_what_goes_through_many_rows": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_read_cannot_write": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_every_connection_is_durable": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_lock_that_is_kept_too_long": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_commit_that_the_disk": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_fault_of_the_program": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_the_version_changes_with": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_the_version_stays_while": _IS_ABOUT_THE_FILE,
    "tests/engine/test_external.py::": _LOOKS_INTO_THE_FILE,
}
"""How the ids of these tests begin, each with the reason."""
