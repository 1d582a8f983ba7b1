"""`python -m tallyroom` is the same as the command `tallyroom`."""

from tallyroom.cli.main import main

main()
