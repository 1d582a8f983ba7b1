"""Runs the command `tallyroom` as `python -m tallyroom`."""

from tallyroom.cli.main import main

main()
