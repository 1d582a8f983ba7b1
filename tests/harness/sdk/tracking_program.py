"""A program that tracks numbers, and writes each number that `track` took to a ledger, until it is killed.

`python -m harness.sdk.tracking_program URL KEY QUEUE LEDGER` goes on behind the last number of the ledger, leaving out
the one that it may have tracked just before it was killed. With `finish` as the last word, it tracks nothing, and ends
once everything has been sent.
"""

import os
import sys
import time
from pathlib import Path

from tallyroom_client import Tallyroom

_PAUSE = 0.002


def numbers_in(ledger: Path) -> list[int]:
    """Return the numbers of complete lines."""
    return [int(line) for line in ledger.read_text(encoding="ascii").split("\n")[:-1]] if ledger.exists() else []


def main(url: str, key: str, queue: str, ledger: str, *words: str) -> None:
    client = Tallyroom(key, url, queue=queue)
    if words == ("finish",):
        client.track("finished")
        sys.exit(0 if client.close(timeout=100) else 1)
    number = max(numbers_in(Path(ledger)), default=-2) + 2
    descriptor = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    sys.stdout.write("tracks\n")
    sys.stdout.flush()
    while True:
        assert client.track("counted", actor="a", properties={"number": number})
        os.write(descriptor, b"%d\n" % number)
        number += 1
        time.sleep(_PAUSE)


if __name__ == "__main__":
    main(*sys.argv[1:])
