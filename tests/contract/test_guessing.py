"""Guessing (rules/people#guessing): it gets nowhere, tells nobody which accounts exist, and shuts no owner out.

The counts over an hour are held with a clock that a test moves, in tests/auth/test_throttle.py.
"""

import itertools
import re
import uuid

import httpx
import pytest

from harness.clients.letters import letter_to, letters_to
from harness.clients.workspace import PASSWORD, Workspace, fresh_ip
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server

NEW = "another long password"


def log_in(workspace: Workspace, password: str = PASSWORD, ip: str = "") -> httpx.Response:
    body = {"email": workspace.email, "password": password}
    headers = {"x-forwarded-for": ip or workspace.ip}
    return httpx.post(f"{workspace.url}/v1/auth/login", json=body, headers=headers, timeout=30)


@pytest.mark.long
def test_asking_for_a_link_tells_nobody_which_accounts_exist(server: Server, workspace: Workspace) -> None:
    unknown = f"{uuid.uuid4().hex}@example.com"
    with workspace.client() as client:
        answers = [client.post("/v1/auth/reset", json={"email": email}) for email in (workspace.email, unknown)]
    known_headers, unknown_headers = [{**answer.headers, "x-request-id": "", "date": ""} for answer in answers]
    assert [(answer.status_code, answer.content) for answer in answers] == [(202, b"")] * 2
    assert known_headers == unknown_headers
    letter_to(server, workspace.email)
    assert letters_to(server, unknown) == []


def told(answer: httpx.Response) -> tuple[int, str, dict[str, str]]:
    """What an answer tells, but for its id, its hour and how many seconds are left."""
    body = answer.json() | {"requestId": ""}
    headers = {name: value for name, value in answer.headers.items() if name not in {"date", "content-length"}}
    return (
        answer.status_code,
        digits(str(body)),
        {name: digits(value) for name, value in headers.items()} | {"x-request-id": ""},
    )


def digits(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def test_an_unknown_account_and_a_wrong_password_get_one_answer(workspace: Workspace, server: Server) -> None:
    stranger = Workspace(server.url, f"{uuid.uuid4().hex}@example.com", "", "")
    answers = [(told(log_in(workspace, "wrong")), told(log_in(stranger, "wrong"))) for _ in range(12)]
    assert all(known == unknown for known, unknown in answers)
    assert [status for (status, _, _), _ in answers] == [401] * 10 + [429] * 2  # up to the throttle and beyond


def test_guessing_from_one_place_is_slowed_and_shuts_nobody_out(workspace: Workspace) -> None:
    thief, home = fresh_ip(), workspace.ip
    statuses = [log_in(workspace, f"wrong {number}", thief).status_code for number in range(15)]
    assert statuses == [401] * 10 + [429] * 5
    refusal = log_in(workspace, PASSWORD, thief)  # the right one, too: nobody learns whether it was
    check_refusal(refusal, 429)
    wait = int(refusal.headers["retry-after"])
    assert 1 <= wait <= 90
    assert refusal.headers["ratelimit-policy"] == '"sign-in";q=10;w=900'
    assert refusal.headers["ratelimit"] == f'"sign-in";r=0;t={wait}'
    assert log_in(workspace, PASSWORD, home).status_code == 200


@pytest.mark.long
def test_guessing_from_everywhere_is_slowed_and_leaves_familiar_places_open(workspace: Workspace) -> None:
    assert log_in(workspace).status_code == 200  # the owner has been here
    statuses = [log_in(workspace, "wrong", fresh_ip()).status_code for _ in range(60)]
    assert statuses == [401] * 50 + [429] * 10
    check_refusal(log_in(workspace, PASSWORD, fresh_ip()), 429)
    assert log_in(workspace).status_code == 200
    assert log_in(workspace, PASSWORD, fresh_ip()).status_code == 200  # the success has started the count anew


def test_one_place_is_slowed_whatever_accounts_it_tries(server: Server) -> None:
    thief = fresh_ip()
    accounts = [Workspace(server.url, f"{uuid.uuid4().hex}@example.com", "", "") for _ in range(70)]
    statuses = [log_in(account, "wrong", thief).status_code for account in accounts]
    assert statuses == [401] * 60 + [429] * 10


def test_a_network_of_addresses_is_one_place(workspace: Workspace) -> None:
    numbers = itertools.count(1)
    statuses = [log_in(workspace, "wrong", f"2001:db8:0:7::{next(numbers):x}").status_code for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2


def test_nobody_finds_accounts_by_signing_up(workspace: Workspace) -> None:
    body = {"email": workspace.email, "password": PASSWORD, "name": "Owner"}
    with httpx.Client(headers={"x-forwarded-for": fresh_ip()}) as client:
        answers = [client.post(f"{workspace.url}/v1/auth/signup", json=body) for _ in range(32)]
    assert [answer.status_code for answer in answers] == [409] * 30 + [429] * 2
    check_refusal(answers[-1], 429)
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60


@pytest.mark.parametrize(
    ("path", "body", "status", "admitted"),
    [
        ("password", {"current": "wrong", "new": NEW}, 400, 10),
        ("reset", {}, 202, 3),
        ("reset/confirm", {"token": "trr_x", "password": NEW}, 400, 30),
    ],
)
def test_the_other_doors_are_throttled_too(
    workspace: Workspace, path: str, body: dict[str, str], status: int, admitted: int
) -> None:
    body = body or {"email": workspace.email}
    with workspace.client() as client:
        answers = [client.post(f"/v1/auth/{path}", json=body) for _ in range(admitted + 2)]
    assert [answer.status_code for answer in answers] == [status] * admitted + [429] * 2
    check_refusal(answers[-1], 429)
    assert int(answers[-1].headers["retry-after"]) > 0
