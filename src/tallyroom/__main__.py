"""`python -m tallyroom` is the same as the command `tallyroom`."""

from tallyroom.cli import main

main()
