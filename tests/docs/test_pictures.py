"""docs/howto/pictures.md: what the page says to paste draws pictures."""

import os
import re
from pathlib import Path

import httpx
from PIL import Image

from harness.pasted import Block, blocks, in_one_terminal
from harness.server import Server

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "pictures.md"


def test_the_commands_draw_pictures(server: Server, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment["TALLYROOM_URL"] = server.url
    go = Block("sh", f"cd {tmp_path}\n")
    in_one_terminal([go, *blocks(PAGE, "The first one"), *blocks(PAGE, "More than a URL holds")], environment, tmp_path)
    for name in ("servers.png", "thousand.png"):
        with Image.open(tmp_path / name) as picture:
            assert picture.size == (1000, 400)


def test_the_url_for_a_readme_is_a_picture(server: Server) -> None:
    (url,) = re.findall(r"https://tally\.example\.com(\S+)\)", PAGE.read_text(encoding="utf-8"))
    answer = httpx.get(server.url + url, verify=False)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert ">Teapot</text>" in answer.text
