"""One JSON object a line, with the request id and without secrets."""

import contextlib
import io
import json
import logging
from collections.abc import Iterator

import pytest

from tallyroom.core.ids import IdGenerator
from tallyroom.core.log import _MIN_LEVELS, MAIL_LOGGER, configure_logging, redact, request_id_var

SECRET = IdGenerator().base62(38)


@pytest.fixture
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    root = logging.getLogger()
    pytests, level = list(root.handlers), root.level
    noisy = {name: logging.getLogger(name).level for names in _MIN_LEVELS.values() for name in names}
    root.handlers.clear()  # or they would be closed
    stream = io.StringIO()
    with contextlib.redirect_stderr(stream):
        configure_logging("info", getattr(request, "param", ""))
    [ours] = root.handlers
    root.handlers.extend(pytests)
    yield stream
    root.removeHandler(ours)
    root.setLevel(level)
    for name, old in noisy.items():
        logging.getLogger(name).setLevel(old)


def written(log: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


@pytest.mark.parametrize("prefix", ["tr_live_", "tr_test_", "tr_stats_", "tr_pat_", "trs_", "tri_", "trr_", "whsec_"])
def test_secrets_are_cut_to_their_prefix(prefix: str) -> None:
    for text in ("{}", "Bearer {}", '{{"key":"{}"}}', "a={}&b", "({})", "{}\n{}"):
        cut = redact(text.format(prefix + SECRET, prefix + SECRET))
        assert SECRET[4:] not in cut
        assert f"{prefix}[redacted]" in cut


def test_other_text_stays() -> None:
    assert redact("tr_live_ str_live_x tr_prod_12345678 019aa0b0") == "tr_live_ str_live_x tr_prod_12345678 019aa0b0"


def test_a_link_stays_in_a_mail_that_the_operator_hands_on_and_nowhere_else(log: io.StringIO) -> None:
    text = f"https://x.example/reset?token=trr_{SECRET} tri_{SECRET} trs_{SECRET} tr_live_{SECRET}"
    logging.getLogger(MAIL_LOGGER).warning("a mail", extra={"text": text})
    logging.getLogger("tallyroom.x").warning("a mail", extra={"text": text})
    mail, other = [line["text"] for line in written(log)]
    assert mail == f"https://x.example/reset?token=trr_{SECRET} tri_{SECRET} trs_[redacted] tr_live_[redacted]"
    assert SECRET not in str(other)


def test_a_line_has_level_logger_message_time_and_extras(log: io.StringIO) -> None:
    logging.getLogger("tallyroom.x").info("hello", extra={"status": 202})
    [line] = written(log)
    assert {"level": "INFO", "logger": "tallyroom.x", "message": "hello", "status": 202}.items() <= line.items()
    assert "time" in line
    assert "requestId" not in line


def test_a_line_of_a_request_has_its_id(log: io.StringIO) -> None:
    token = request_id_var.set("abc-1")
    try:
        logging.getLogger("tallyroom.x").info("hello")
    finally:
        request_id_var.reset(token)
    assert written(log)[0]["requestId"] == "abc-1"


def test_no_secret_gets_into_the_log_on_any_way(log: io.StringIO) -> None:
    secret = f"tr_live_{SECRET}"
    logger = logging.getLogger("tallyroom.x")
    try:
        int(secret)  # its message holds the text
    except ValueError:
        logger.exception("failed %s", secret, extra={"header": secret, "more": [secret]})
    text = log.getvalue()
    assert SECRET not in text
    assert text.count("[redacted]") >= 3
    assert len(text.splitlines()) == 1


def test_the_level_is_heeded_and_libraries_are_quiet(log: io.StringIO) -> None:
    logging.getLogger("tallyroom.x").debug("no")
    logging.getLogger("uvicorn.error").info("no")
    logging.getLogger("uvicorn.error").warning("yes")
    logging.getLogger("urllib3.connectionpool").warning("no")
    assert [line["message"] for line in written(log)] == ["yes"]


@pytest.mark.parametrize(("log", "named"), [("", {}), ("2", {"worker": "2"})], indirect=["log"])
def test_each_line_names_the_worker_if_there_are_several(log: io.StringIO, named: dict[str, str]) -> None:
    logging.getLogger("tallyroom.x").warning("something")
    [line] = written(log)
    assert {name: value for name, value in line.items() if name == "worker"} == named
