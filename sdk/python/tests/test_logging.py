"""Log records as events."""

import logging
import os
from typing import Any

import pytest

from tallyroom_client import Tallyroom
from tallyroom_client.logging import EventHandler
from tallyroom_client.testing import recording


@pytest.fixture
def logger() -> logging.Logger:
    logger = logging.Logger("shop.orders")  # noqa: LOG001 # one that ends with the test
    logger.addHandler(EventHandler(Tallyroom("k", queue=False), logging.WARNING))
    return logger


def test_records_at_the_level_or_above_become_events(logger: logging.Logger) -> None:
    with recording() as events:
        logger.info("not this")
        logger.warning("stock is low: %d", 3)
    (event,) = events
    properties: dict[str, Any] = event["properties"]
    assert event["name"] == "log.warning"
    assert properties.pop("line") > 0
    assert properties == {"logger": "shop.orders", "message": "stock is low: 3", "file": "test_logging.py"}


def test_an_exception_has_its_type_message_and_stack_trace(logger: logging.Logger) -> None:
    with recording() as events:
        try:
            os.environ["ORDER 17"]
        except KeyError:
            logger.exception("failed")
    properties = events[0]["properties"]
    assert events[0]["name"] == "log.error"
    assert properties["exception.type"] == "builtins.KeyError"
    assert properties["exception.message"] == "'ORDER 17'"
    assert properties["exception.stacktrace"].endswith("KeyError: 'ORDER 17'")


def test_long_and_broken_texts_fit_into_an_event(logger: logging.Logger) -> None:
    with recording() as events:
        logger.error("%s", "\ud800" + "x" * 100_000)
    assert len(events[0]["properties"]["message"]) == 8192


def test_the_clients_own_records_are_left_out() -> None:
    logger = logging.Logger("tallyroom_client")  # noqa: LOG001 # as above
    logger.addHandler(EventHandler(Tallyroom("k", queue=False)))
    with recording() as events:
        logger.error("the queue is full")
    assert events == []
