"""Passwords that many people have, or that their owner's name gives away, are refused."""

import pytest

from tallyroom.auth.password_blocklist import common_passwords, refuse_guessable
from tallyroom.auth.prepared_password import PreparedPassword
from tallyroom.core.errors import ValidationFailed

ABOUT = ("Ann.Lee@acme-corp.example", "Ann Lee", "Acme Corp", "Acme")


def test_the_list_is_of_passwords_that_could_be_chosen() -> None:
    found = common_passwords()
    assert len(found) == 10_000
    assert all(len(each) >= 10 and each == each.casefold() for each in found)
    assert {"password123", "qwertyuiop", "1234567890", "1q2w3e4r5t", "iloveyou123"} <= found


@pytest.mark.parametrize("password", ["qwertyuiop", "QwertyUIOP", "PASSWORD123", "1234567890", "Basketball"])
def test_what_many_people_have_is_refused_whatever_its_case(password: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        refuse_guessable(PreparedPassword(password), ABOUT, "new")
    assert [(each.path, each.message) for each in refused.value.details] == [
        (["new"], "is one of the passwords that attackers try first; choose another")
    ]


def test_every_password_of_the_list_is_refused() -> None:
    for password in list(common_passwords())[:500]:
        with pytest.raises(ValidationFailed):
            refuse_guessable(PreparedPassword(password.upper()), (), "password")


@pytest.mark.parametrize(
    "password",
    [
        "ann.lee@acme-corp.example",
        "Ann.Lee@Acme-Corp.example",
        "annlee2026",
        "Ann Lee!!!",
        "acme-corp1",
        "ACME CORP 2026",
        "12345Acme-Corp",
        "tallyroom!",
        "Tallyroom2026",
        "T.a.l.l.y.r.o.o.m",
        "Acme Acme Acme",
        "acmecorpacmecorp1",
        "Ann Lee, 4 Tallyroom",
        "tallyroomtallyroom",
    ],
)
def test_what_others_know_is_refused(password: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        refuse_guessable(PreparedPassword(password), ABOUT, "password")
    assert "is too similar to the email address" in refused.value.message


@pytest.mark.parametrize(
    "password",
    [
        "correct horse",
        "a long pass phrase",
        "annlee and her horse",
        "tallyroom is where I count",
        "8461729305",
        "пароль из слов",
    ],
)
def test_others_are_taken(password: str) -> None:
    refuse_guessable(PreparedPassword(password), (*ABOUT, ""), "password")


def test_a_name_is_recognized_however_it_is_composed() -> None:
    with pytest.raises(ValidationFailed):
        refuse_guessable(PreparedPassword("Ren\u00e9 Noir 26"), ("Rene\u0301 Noir",), "password")
