"""What mail could go to is taken, in any script; nothing else is."""

import pytest

from tallyroom.core.email_address import check_email_address, mask_address
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
        "김철수@example.kr",
        "नरेंद्र@example.in",
        "عمر@example.com",
        "สมชาย@example.co.th",
        "ann@1and1.example",
        "ann@3com.com",
        "ann@127.0.0.1.example",
        "ann@0x7f.example",
    ],
)
def test_an_address_is_taken(text: str) -> None:
    check_email_address(text, "email")


UNSEEN = [
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x2060, 0x2064),
    *(0x2800, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0, 0x13441, 0x16FE4, 0x1BCA0, 0x1D159, 0x1D173, 0xE0001),
    *(0xE0020, 0xE0100, 0xE01EF, 0x00A0, 0x2003, 0x2028, 0x3000, 0x0085),
]


@pytest.mark.parametrize("code", UNSEEN, ids=hex)
@pytest.mark.parametrize("form", ["a{}nn@example.com", "{}ann@example.com", "ann{}@example.com", "ann@exam{}ple.com"])
def test_a_character_that_nobody_sees_is_refused(code: int, form: str) -> None:
    with pytest.raises(ValidationFailed):
        check_email_address(form.format(chr(code)), "email")


@pytest.mark.parametrize(
    "domain",
    [
        "127.0.0.1",
        "1.2.3",
        "1",
        "0x7f.1",
        "2130706433",
        "127.0.0.0x1",
        "0x7f000001",
        "0X7F",
        "example.0x",
        "example.12",
    ],
)
def test_a_domain_is_no_number(domain: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_email_address(f"x@{domain}", "email")
    assert refused.value.details[0].message.startswith("is not an email address: ")


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
    assert detail.message.startswith(("is not an email address: ", "is not an email address; did you mean "))


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("ann@example.com", "a•••@example.com"),
        ("é@bücher.example", "é•••@bücher.example"),
        ('"a@b"@c.example', '"•••@c.example'),
    ],
)
def test_of_a_masked_address_one_character_and_the_domain_are_shown(address: str, shown: str) -> None:
    assert mask_address(address) == shown
