"""The tests that are about the SQLite file of the metadata, or look into it, and so have nothing to say of PostgreSQL."""

_LOOKS_INTO_THE_FILE = "reads the bytes of the file, or writes into it beside the server"
_IS_ABOUT_THE_FILE = "is about how SQLite locks, versions or plans"
_HAS_A_NUL = "wants the same words about an id with a NUL, of which PostgreSQL says what is wrong"
_IS_NOTICED_AT_ONCE = "wants a change by another process noticed in the next turn of the event loop, not a moment later"
_COUNTS_TURNS = "gives a look-up as many turns of the event loop as one in the file needs"

SQLITE_ONLY = {
    "tests/analytics/auth/test_resets.py::test_a_request_for_an_unknown_address_writes_nothing": _IS_ABOUT_THE_FILE,
    "tests/analytics/keys/test_keys.py::test_another_workspaces_key_is_as_missing": _HAS_A_NUL,
    "tests/analytics/tokens/test_tokens.py::test_another_workspaces_token_is_as_missing": _HAS_A_NUL,
    "tests/auth/test_api_keys.py::test_a_change_of_plan_by_the_command_line_holds": _IS_NOTICED_AT_ONCE,
    "tests/auth/test_api_keys.py::test_a_revocation_during_the_look_up_is_not_missed": _IS_NOTICED_AT_ONCE,
    "tests/auth/test_api_keys.py::test_a_flush_without_news_writes_nothing": _IS_ABOUT_THE_FILE,
    "tests/auth/test_signatures.py::test_no_look_through_all_bots": _IS_ABOUT_THE_FILE,
    "tests/bots/test_repository.py::test_no_other_tallies_are_read": _IS_ABOUT_THE_FILE,
    "tests/contract/test_annotations.py::test_a_wrong_environment_makes_nothing[a\\x00]": _HAS_A_NUL,
    "tests/contract/test_annotations.py::test_another_workspaces_annotation_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_dashboards.py::test_another_workspaces_dashboard_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_digests.py::test_another_workspaces_digest_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_environments.py::test_another_workspaces_environment_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_invites.py::test_another_workspaces_invitation_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_members.py::test_another_workspaces_member_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_segments.py::test_a_wrong_environment_makes_nothing[a\\x00]": _HAS_A_NUL,
    "tests/contract/test_segments.py::test_another_workspaces_segment_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_widgets.py::test_another_workspaces_widget_is_as_missing": _HAS_A_NUL,
    "tests/contract/test_workspaces.py::test_nobody_switches_to_where_he_does_not_belong": _HAS_A_NUL,
    "tests/db/test_connection.py::test_a_look_up_answers_at_once": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_what_goes_through_many_rows": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_read_cannot_write": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_every_connection_is_durable": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_lock_that_is_kept_too_long": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_commit_that_the_disk": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_a_fault_of_the_program": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_the_version_changes_with": _IS_ABOUT_THE_FILE,
    "tests/db/test_connection.py::test_the_version_stays_while": _IS_ABOUT_THE_FILE,
    "tests/engine/test_external.py::test_everybody_who_asks_at_once_shares_a_request": _COUNTS_TURNS,
    "tests/engine/test_external.py::test_a_slow_source_holds_up_nobody_else": _COUNTS_TURNS,
}
"""How the ids of these tests begin, each with the reason."""
