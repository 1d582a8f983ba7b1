"""A source is asked again as long as that is of use, and its token stays with it."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.utils import formatdate
from random import Random
from typing import Any

import pytest

from conftest import FakeClock
from harness.servers.scripted_server import ScriptedAnswer, ScriptedServer
from tallyroom.import_export.collect import fetch
from tallyroom.import_export.collect.fetch import Fetcher, SourceFailed, SourceNotFound

SECRET = "source-secret-1"
Ask = Callable[..., Any]


class Scene:
    """A source that answers in turn, and how long was waited."""

    def __init__(self, stack: ExitStack, clock: FakeClock) -> None:
        self._stack = stack
        self._clock = clock
        self.waited: list[float] = []

    def source(self, *answers: ScriptedAnswer) -> ScriptedServer:
        left = list(answers)
        return self._stack.enter_context(ScriptedServer(lambda _: left.pop(0) if left else ScriptedAnswer(200, b"[1]")))

    def get(self, address: str, patience: float = 100, **query: str) -> Any:
        def wait(seconds: float) -> None:
            self.waited.append(seconds)
            self._clock.advance(seconds)

        headers = {"authorization": SECRET}
        with Fetcher(
            address, headers, patience_seconds=patience, clock=self._clock, random=Random(1), sleep=wait
        ) as fetcher:
            return fetcher.get_json(address, query)


@pytest.fixture
def scene(fake_clock: FakeClock) -> Iterator[Scene]:
    with ExitStack() as stack:
        yield Scene(stack, fake_clock)


def test_an_answer(scene: Scene) -> None:
    source = scene.source(ScriptedAnswer(200, gzip.compress(b'{"a":[1]}'), {"content-encoding": "gzip"}))
    assert scene.get(f"{source.url}/api?kind=all", offset="5") == {"a": [1]}
    [asked] = source.asked
    assert asked.path == "/api?kind=all&offset=5"
    assert asked.headers["authorization"] == SECRET


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 0])
def test_a_busy_source_is_asked_again(scene: Scene, status: int) -> None:
    source = scene.source(ScriptedAnswer(status), ScriptedAnswer(status))
    assert scene.get(source.url) == [1]
    assert len(source.asked) == 3
    assert 0 < scene.waited[0] < scene.waited[1] < 1


def test_it_says_when(scene: Scene, fake_clock: FakeClock) -> None:
    at = formatdate(fake_clock.now_ms() / 1000 + 7, usegmt=True)
    source = scene.source(
        ScriptedAnswer(429, headers={"retry-after": "30"}), ScriptedAnswer(503, headers={"retry-after": at})
    )
    assert scene.get(source.url) == [1]
    assert scene.waited[0] == 30
    assert scene.waited[1] == 0  # 30 seconds later the date has passed


def test_patience_ends(scene: Scene) -> None:
    source = scene.source(*[ScriptedAnswer(503)] * 100)
    with pytest.raises(SourceFailed, match=r"responded with 503\. Gave up, because --patience is 20 seconds\.$"):
        scene.get(source.url, patience=20)
    assert 10 < sum(scene.waited) <= 20
    with pytest.raises(SourceFailed, match="Gave up"):
        scene.get(scene.source(ScriptedAnswer(429, headers={"retry-after": "3600"})).url)
    with pytest.raises(SourceFailed, match="does not respond"):
        scene.get("http://127.0.0.1:1/", patience=0)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (ScriptedAnswer(401), "responded with 401"),
        (ScriptedAnswer(400, b"<html>"), "responded with 400"),
        (ScriptedAnswer(302), "responded with 302"),
        (ScriptedAnswer(200, b"<html>"), "did not respond with JSON"),
        (ScriptedAnswer(200, b""), "did not respond with JSON"),
        (ScriptedAnswer(200, b"[" * 100_000), "did not respond with JSON"),
        (
            ScriptedAnswer(302, headers={"location": "http://127.0.0.1:1/"}),
            "redirects to http://127.0.0.1:1/, another host",
        ),
        (
            ScriptedAnswer(302, headers={"location": "https://list.example/?key=1"}),
            "redirects to https://list.example/, another",
        ),
    ],
)
def test_what_ends_it_at_once(scene: Scene, told: ScriptedAnswer, words: str) -> None:
    source = scene.source(told)
    with pytest.raises(SourceFailed, match=words) as failed:
        scene.get(f"{source.url}/list?key={SECRET}")
    assert len(source.asked) == 1
    assert SECRET not in failed.value.message


def test_nothing_there(scene: Scene) -> None:
    with pytest.raises(SourceNotFound, match="responded with 404"):
        scene.get(scene.source(ScriptedAnswer(404)).url)


def test_a_redirect_to_the_same_host_is_followed(scene: Scene) -> None:
    source = scene.source(ScriptedAnswer(301, headers={"location": "/v2/bots"}))
    assert scene.get(f"{source.url}/bots") == [1]
    assert [(asked.path, asked.headers["authorization"]) for asked in source.asked] == [
        ("/bots", SECRET),
        ("/v2/bots", SECRET),
    ]
    with pytest.raises(SourceFailed, match="redirects more than 5 times"):
        scene.get(scene.source(*[ScriptedAnswer(302, headers={"location": "/x"})] * 9).url)


def test_an_answer_that_is_too_long(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "_MAX_BYTES", 1000)
    zipped = gzip.compress(b"[" + b" " * 1000 + b"]")
    with pytest.raises(SourceFailed, match="more than 1,000 bytes"):
        scene.get(scene.source(ScriptedAnswer(200, zipped, {"content-encoding": "gzip"})).url)


@pytest.mark.parametrize("address", ["", "list.example", "ftp://list.example", "http://", "http://a:b/"])
def test_an_address_that_is_none(scene: Scene, address: str) -> None:
    with pytest.raises(SourceFailed, match=r"cannot be requested|is not the address of a source"):
        scene.get(address)


@pytest.mark.parametrize("token", ["a\nb", "é", "a\x00"])
def test_a_token_that_cannot_be_sent_is_not_repeated(fake_clock: FakeClock, token: str) -> None:
    with pytest.raises(SourceFailed, match="printable ASCII") as failed:
        Fetcher("http://127.0.0.1:1", {"x": token}, patience_seconds=0, clock=fake_clock, random=Random(1), sleep=id)
    assert token not in failed.value.message
