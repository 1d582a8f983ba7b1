"""The helpers import a bot library only for a bot of it."""

import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src"
IMPORT = f"""
import sys
sys.path.insert(0, {str(SOURCES)!r})
import tallyroom_client.discord
print(*sorted({{"aiogram", "aiohttp", "discord", "disnake", "hikari", "nextcord"}} & set(sys.modules)))
"""


def test_the_helper_imports_no_library() -> None:
    program = subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True)
    assert program.stdout == "\n"
