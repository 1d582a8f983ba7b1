"""Arguments first, then the environment, then defaults."""

from pathlib import Path
from typing import Any

import pytest

from tallyroom_client import Tallyroom
from tallyroom_client.settings import Settings, read_settings

FULL = {
    "TALLYROOM_KEY": "env-key",
    "TALLYROOM_URL": "https://env.example.com/tally/",
    "TALLYROOM_QUEUE": "/env/queue",
}


def read(environment: dict[str, str], **arguments: Any) -> Settings:
    given: dict[str, Any] = {"key": None, "url": None, "queue": None, "enabled": True, "durable": "process"} | arguments
    return read_settings(**given, environment=environment)


def test_the_environment_completes_the_arguments() -> None:
    assert read(FULL) == Settings(
        "env-key", "https://env.example.com/tally", "/env/queue", is_enabled=True, durable="process"
    )
    settings = read(FULL, key="k", url="http://a:1", queue=Path("/q"), durable="disk")
    assert settings == Settings("k", "http://a:1", "/q", is_enabled=True, durable="disk")
    assert read({"TALLYROOM_KEY": "k"}) == Settings(
        "k", "http://127.0.0.1:8480", None, is_enabled=True, durable="process"
    )


@pytest.mark.parametrize("off", ["0", "false", "OFF", "no"])
def test_words_that_turn_something_off(off: str) -> None:
    assert read(FULL | {"TALLYROOM_QUEUE": off}).queue is False
    assert read({"TALLYROOM_ENABLED": off}).is_enabled is False
    assert read(FULL | {"TALLYROOM_ENABLED": "true"}, enabled=False).is_enabled is False


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "no API key"),
        ({"key": "a b"}, "characters that no key has"),
        ({"key": "k\n"}, "characters that no key has"),
        ({"key": "k", "url": "example.com"}, "not the address of a server"),
        ({"key": "k", "durable": "ram"}, "durable is neither"),
    ],
)
def test_what_cannot_work_is_an_error_at_once(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Tallyroom(**arguments)
