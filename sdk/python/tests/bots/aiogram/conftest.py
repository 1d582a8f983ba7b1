"""Leaves out the tests if this environment has no aiogram; `make test-bots` has one."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("aiogram") else ["test_*.py"]
