"""core.email_address: what mail could go to is taken, in any script; nothing else is."""

import pytest

from tallyroom.core.email_address import check_email_address
from tallyroom.core.errors import ValidationFailed


@pytest.mark.parametrize(
    "text",
    [
        "ann@example.com",
        "Ann@Example.COM",
        "ann+tag@mail.example.com",
        "o'brien@example.com",
        "ann@corp.local",
        "ann@host.internal",
        "ann@localhost",
        "ann@bücher.example",
        "jürgen@example.com",
        "用户@例え.jp",
    ],
)
def test_an_address_is_taken(text: str) -> None:
    check_email_address(text, "email")


@pytest.mark.parametrize(
    "text",
    [
        "<x@example.com>",
        "Ann <x@example.com>",
        "x@-.com",
        "x@a-.com",
        "x@.com",
        "x@example.com.",
        "x@example..com",
        ".x@example.com",
        "x..y@example.com",
        "x\u200b@example.com",
        "x@exa\u200bmple.com",
        "x@ex\u00adample.com",
        "\ufeffx@example.com",
        "x@example.com\u200d",
        "x\u2060y@example.com",
        "x@\u202eexample.com",
        '"a b"@example.com',
        "x@[127.0.0.1]",
        "x@exam_ple.com",
        "x@ｅxample.com",
        "e\u0301@example.com",
        "x@xn--a.com",
        "ann@xn--bcher-kva.example",
        "a,b@example.com",
        "a;b@example.com",
        "x@y@example.com",
        f"{'a' * 65}@example.com",
        f"x@{'a' * 64}.com",
        "x@",
        "@example.com",
        "example.com",
        "",
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_email_address(text, "email")
    (detail,) = refused.value.details
    assert detail.path == ["email"]
    assert detail.message.startswith(("is not an e-mail address: ", "is not an e-mail address; did you mean "))
