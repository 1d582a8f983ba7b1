"""401: every wrong key gets one and the same answer, and nothing is kept (rules/events#credentials)."""

import json
from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal, refused
from tallyroom.auth.secrets import mint_key, mint_session_token
from tallyroom.core.clock import SystemClock
from tallyroom.core.ids import IdGenerator

IDS = IdGenerator(SystemClock())

OK = {"name": "ok", "_actor": "a"}


def unauthorized_headers(workspace: Workspace) -> dict[str, bytes | None]:
    key = workspace.key
    revoked, key_id = workspace.make_key()
    with workspace.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204
    return {
        "missing": None,
        "empty": b"",
        "scheme only": b"Bearer",
        "no scheme": key.encode(),
        "another scheme": f"Basic {key}".encode(),
        "token scheme": f"Token {key}".encode(),
        "two spaces": f"Bearer  {key}".encode(),
        "tab": f"Bearer\t{key}".encode(),
        "colon": f"Bearer: {key}".encode(),
        "quoted": f'Bearer "{key}"'.encode(),
        "text behind": f"Bearer {key} x".encode(),
        "two keys": f"Bearer {key},{key}".encode(),
        "cut off": f"Bearer {key[:-1]}".encode(),
        "too long": f"Bearer {key}0".encode(),
        "wrong checksum": f"Bearer {key[:-1]}{'a' if key[-1] != 'a' else 'b'}".encode(),
        "wrong environment": f"Bearer {key.replace('live', 'test')}".encode(),
        "lower case": f"Bearer {key.lower()}".encode(),
        "upper case": f"Bearer {key.upper()}".encode(),
        "not ASCII": b"Bearer \xff\xfe",
        "key id": f"Bearer {workspace.key_id}".encode(),
        "huge": b"Bearer " + b"a" * 5000,
        "unknown": f"Bearer {mint_key(IDS, 'production')}".encode(),
        "unknown, development": f"Bearer {mint_key(IDS, 'development')}".encode(),
        "revoked": f"Bearer {revoked}".encode(),
        "session": f"Bearer {workspace.session_token}".encode(),
        "unknown session": f"Bearer {mint_session_token(IDS)}".encode(),
    }


def test_401_one_answer_to_every_wrong_key(shared: Workspace) -> None:
    seen = set()
    for name, header in unauthorized_headers(shared).items():
        with shared.client() as client:
            del client.headers["authorization"]
            headers: Any = {} if header is None else {"authorization": header}
            answer = client.post("/v1/events", json=OK, headers=headers)
        body = check_refusal(answer, 401)
        assert body.pop("requestId"), name
        seen.add(json.dumps(body))
    assert len(seen) == 1  # nobody learns which keys exist


def test_401_keeps_nothing_and_a_key_elsewhere_is_none(shared: Workspace) -> None:
    refused(shared, OK, 401, key="tr_live_nonsense")
    elsewhere = {"cookie": f"{shared.cookie}={shared.session_token}", "x-api-key": shared.key}
    refused(shared, OK, 401, key="x", headers=elsewhere)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_taken_in_any_case(shared: Workspace, scheme: str) -> None:
    assert shared.send(OK, headers={"authorization": f"{scheme} {shared.key}"}).status_code == 202
