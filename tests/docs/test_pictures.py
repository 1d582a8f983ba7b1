"""docs/howto/pictures.md: what the page says to paste draws pictures."""

import os
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from harness.servers.child import run_child
from harness.servers.server import Server
from harness.suite.pasted_blocks import Block, blocks, in_one_terminal

DOCS = Path(__file__).parents[2] / "docs"
PAGE, GRAPH = DOCS / "howto" / "pictures.md", DOCS / "images" / "graph.svg"


def test_the_commands_draw_pictures(server: Server, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment["TALLYROOM_URL"] = server.url
    go = Block("sh", f"cd {tmp_path}\n")
    in_one_terminal(
        [go, *blocks(PAGE, "Your first picture"), *blocks(PAGE, "More data than fits in a URL")], environment, tmp_path
    )
    for name in ("servers.png", "thousand.png"):
        with Image.open(tmp_path / name) as picture:
            assert picture.size == (1000, 400)


@pytest.mark.long
def test_the_graph_of_the_pages_is_drawn_by_a_url_from_real_numbers(server: Server) -> None:
    """To draw it anew, delete it, run this twice, and look."""
    asked: dict[str, Any] = {"name": "Flights a week from New York", "theme": "auto", "width": 900, "height": 360}
    weekly = run_child(WEEKLY, PYTHONPATH=str(DOCS.parent)).stdout
    answer = httpx.get(f"{server.url}/custom/graph.svg", params=asked | {"data_points": weekly.strip()})
    assert answer.status_code == 200
    if not GRAPH.exists():
        GRAPH.write_bytes(answer.content)
        pytest.fail(f"{GRAPH} was not there: look at it")
    assert GRAPH.read_bytes() == answer.content


WEEKLY = """
    import json
    from collections import Counter
    from datetime import datetime
    from demo.flights import NEW_YORK, read_flights
    begins, week = int(datetime(2013, 1, 1, tzinfo=NEW_YORK).timestamp()), 7 * 86_400
    numbers = Counter((each.row["origin"], int(each.moment.timestamp() - begins) // week) for each in read_flights())
    names = {"EWR": "Newark", "JFK": "Kennedy", "LGA": "LaGuardia"}
    print(json.dumps([
        {"id": name, "x": begins + at * week, "y": numbers[code, at]} for code, name in names.items() for at in range(52)
    ]))
"""
"""Prints how many flights left each airport of New York in the 52 weeks from 1 January 2013."""


def test_the_url_for_a_readme_is_a_picture(server: Server) -> None:
    (url,) = re.findall(r"https://tally\.example\.com(\S+)\)", PAGE.read_text(encoding="utf-8"))
    answer = httpx.get(server.url + url)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert ">Teapot</text>" in answer.text
