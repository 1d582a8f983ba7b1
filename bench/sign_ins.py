"""How long an owner waits for a sign-in, and a member for a write, while strangers flood the server.

``python -m bench.sign_ins`` takes a minute. Strangers from as many networks try one wrong password each;
the owner signs in behind them, from a familiar place and from a new one. Then strangers ask for links to set a new
password, for addresses without an account, and set passwords and accept invitations with tokens that they made up;
meanwhile a member writes. The server hashes as it does in production, so its limits on guessing, sizes and times are
the real ones.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bench.product import Product

Attempt = tuple[str, object]
"""The path and the body of what a stranger sends, by its number."""

_OWNER = {"email": "bench@example.com", "password": "a password for the bench"}
_HEAD_START_SECONDS = 0.7
_WRITE_COUNT = 40
_PASSWORD = "a long enough password"


async def _post(port: int, path: str, body: object, client_address: str, token: str = "") -> tuple[int, float]:
    """The status of the answer, and the seconds until it came; 0 without an answer."""
    began_s = time.perf_counter()
    content = json.dumps(body).encode()
    bearer = f"authorization: Bearer {token}\r\n" if token else ""
    head = (
        f"POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-forwarded-for: {client_address}\r\n{bearer}"
        f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
    )
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode() + content)
        line = await reader.readline()
        await reader.read()
        writer.close()
        return int(line.split()[1]) if line else 0, time.perf_counter() - began_s
    except OSError:
        return 0, time.perf_counter() - began_s


def _build_network_address(number: int) -> str:
    """An address of a network of its own."""
    return f"11.{number >> 8 & 255}.{number & 255}.1"


def _reset(number: int) -> Attempt:
    return "/v1/auth/reset", {"email": f"nobody{number}@example.com"}


def _wrong_password(number: int) -> Attempt:
    return "/v1/auth/login", {"email": f"nobody{number}@example.com", "password": "a wrong password"}


def _invented_token(number: int) -> Attempt:
    token = f"{number:043}"
    if number % 2:
        return "/v1/auth/reset/confirm", {"token": token, "password": _PASSWORD}
    return "/v1/invites/accept", {"token": token, "name": "Nobody", "password": _PASSWORD}


async def _flood(port: int, attempt: Callable[[int], Attempt], count: int) -> Counter[int]:
    attempts = [(*attempt(number), _build_network_address(number)) for number in range(count)]
    answers = await asyncio.gather(
        *(_post(port, path, body, client_address) for path, body, client_address in attempts)
    )
    return Counter(status for status, _ in answers)


async def _sign_ins(port: int, stranger_count: int, client_address: str) -> None:
    flood_task = asyncio.create_task(_flood(port, _wrong_password, stranger_count))
    await asyncio.sleep(_HEAD_START_SECONDS)
    status, seconds = await _post(port, "/v1/auth/login", _OWNER, client_address)
    print(f"owner from {client_address}: {status} after {seconds:.2f} s; strangers: {dict(await flood_task)}")


async def _writes(port: int, attempt: Callable[[int], Attempt], stranger_count: int, token: str) -> None:
    flood_task = asyncio.create_task(_flood(port, attempt, stranger_count))
    await asyncio.sleep(_HEAD_START_SECONDS)
    body = {"name": "bench", "environment": "production"}
    answers = [await _post(port, "/v1/keys", body, "192.0.2.9", token) for _ in range(_WRITE_COUNT)]
    slowest = max(seconds for _, seconds in answers)
    statuses = dict(Counter(status for status, _ in answers))
    path, _ = attempt(0)
    print(f"a member's writes beside {path}: {statuses}, slowest {slowest:.2f} s; strangers: {dict(await flood_task)}")


async def _measure(product: Product, stranger_count: int, link_count: int) -> None:
    home_address = "192.0.2.1"
    print(f"alone: {await _post(product.port, '/v1/auth/login', _OWNER, home_address)}")
    for client_address in (home_address, "198.51.100.1"):
        await _sign_ins(product.port, stranger_count, client_address)
    for attempt in (_reset, _invented_token):
        await _writes(product.port, attempt, link_count, product.account.token)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strangers", type=int, default=900)
    parser.add_argument("--links", type=int, default=900)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder) / "data", TALLYROOM_TESTING="false", TALLYROOM_TRUSTED_PROXIES="127.0.0.0/8")
        asyncio.run(_measure(product, options.strangers, options.links))
        product.stop()


if __name__ == "__main__":
    main()
