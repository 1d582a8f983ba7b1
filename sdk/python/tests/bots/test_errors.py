"""`bots/errors.py`: what an event says about an exception."""

import json

import pytest

from tallyroom_client.bots.errors import describe_error


class LibraryError(Exception):
    """What a library puts around an exception."""

    def __init__(self, original: BaseException) -> None:
        super().__init__(str(original))
        self.original = original


def catch() -> Exception:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads("{secret")  # raised in the standard library, called from here
    return caught.value


def test_the_place_is_the_deepest_line_of_the_program_itself() -> None:
    description = describe_error(LibraryError(LibraryError(catch())), with_message=False)
    assert description["type"] == "JSONDecodeError"
    assert description["where"].startswith(f"{__name__}:")
    assert "secret" not in str(description)


def test_the_message_is_told_on_request() -> None:
    assert "Expecting property name" in describe_error(catch(), with_message=True)["message"]


def test_an_exception_that_was_never_raised_has_no_place() -> None:
    assert describe_error(ValueError(), with_message=False) == {"type": "ValueError", "where": None}
