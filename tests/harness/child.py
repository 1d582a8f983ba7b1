"""Python in a process of its own: for what a test must not do to the process of the tests."""

import os
import subprocess
import sys
import textwrap


def run_child(code: str, *arguments: object, exits: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `code` with warnings as errors and return what it wrote; fails unless it exits with `exits`."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code), *map(str, arguments)]
    done = subprocess.run(command, env=bare | environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == exits, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done
