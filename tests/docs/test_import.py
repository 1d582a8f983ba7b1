"""docs/howto/import.md names each option of the command, and no other."""

import re
from pathlib import Path

from harness.child import run_child

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "import.md"
HELP = "from tallyroom.cli.main import app; app(['import', 'events', '--help'])"
OPTION = re.compile(r"--[a-z][a-z-]+")
FOR_EVERY_COMMAND = {"--help", "--version"}
ENVIRONMENT = {"--key", "--url"}  # the page tells of TALLYROOM_KEY, which no other user of the machine can read


def test_the_page_names_every_option() -> None:
    offered = set(OPTION.findall(run_child(HELP).stdout)) - FOR_EVERY_COMMAND - ENVIRONMENT
    assert set(OPTION.findall(PAGE.read_text(encoding="utf-8"))) == offered
