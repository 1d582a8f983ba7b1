"""The web app's own code in a process of Node: what its functions return, and how it draws answers, as HTML."""

import json
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.suite.patience import PATIENCE

WEB = Path(__file__).parents[3] / "web"


class AppCode:
    """Runs functions and components of the app.

    Numbers arrive as in JSON, so a float that is whole comes back as an int.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def call(self, module: str, calls: Sequence[Sequence[Any]]) -> list[Any]:
        """The results of calls of functions of a module, such as `core/numbers.ts`: each call is a name and arguments."""
        answers: list[Any] = self._ask({"module": module, "calls": calls})
        return answers

    def draw(self, widget: dict[str, Any], *, size: tuple[int, int], timezone: str) -> str:
        """The HTML of a widget with its answer: as the API for the public has it, or with its `config` as a member's.

        A chart over time has a plot of `size` pixels.
        """
        width, height = size
        order = {"widget": widget, "size": {"width": width, "height": height}, "timezone": timezone}
        html: str = self._ask(order)
        return html

    def _ask(self, order: dict[str, Any]) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        patience = threading.Timer(PATIENCE, self._process.kill)
        patience.start()
        try:
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        finally:
            patience.cancel()
        assert answer, "Node ended"
        return json.loads(answer)


@contextmanager
def app_code() -> Iterator[AppCode]:
    """Node with the code of the app."""
    if not (WEB / "node_modules").is_dir():
        pytest.fail("the web app's packages are not installed; `make test` does that")
    with subprocess.Popen(
        ["node", "scripts/drawn.mjs"], cwd=WEB, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield AppCode(process)
