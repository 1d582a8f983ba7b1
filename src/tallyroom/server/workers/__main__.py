"""The command of a child; only the parent runs it."""

from tallyroom.server.workers.child import main

if __name__ == "__main__":
    main()
