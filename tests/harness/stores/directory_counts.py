"""What a stopped server's data directory holds, and those of its workers, or of several hosts', in it.

The event store is opened in a process of its own, because one process can hold one engine path.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.suite.patience import PATIENCE

_READ = """
import json, sqlite3, sys
from pathlib import Path

data, *server = Path(sys.argv[1]), *sys.argv[2:]
if server:
    from tallyroom.core.event_server import read_event_server
    from tallyroom.storage.event_store.backend.server.connection import ServerConnection, open_writing_client
    store = ServerConnection(open_writing_client(read_event_server(*server)))
    written = lambda sql: store.query(sql, {}, "JSONCompactEachRow")
else:
    import chdb
    store = chdb.connect(str(data / "events"))
    written = lambda sql: str(store.query(sql, "JSONCompactEachRow"))
def rows_of(sql):
    return [json.loads(line) for line in written(sql).splitlines()]
actors = rows_of("SELECT actor, count() FROM events GROUP BY actor")
labels = rows_of("SELECT actor, max(newest).5 FROM actor_labels GROUP BY actor")
[(rows, ids)] = rows_of("SELECT count(), uniqExact(id) FROM events")
parts = [f"{part}: {count} events, {first} to {last}" for part, count, first, last in rows_of(
    "SELECT _part, count(), min(seq), max(seq) FROM events GROUP BY _part ORDER BY _part")]
detached = [" ".join(map(str, each)) for each in rows_of("SELECT table, name, reason FROM system.detached_parts"
    " WHERE database = currentDatabase()")]
store.close()
acked = stored = waiting = keys = 0
dead, used = [], {}
for path in filter(Path.exists, [data / "spool.sqlite", *sorted(data.glob("*/spool.sqlite")),
        *sorted(data.glob("**/workers/*/spool.sqlite"))]):
    spool = sqlite3.connect(path)
    numbers = dict(spool.execute("SELECT name, value FROM number"))
    acked, stored = acked + numbers["acked"], stored + numbers["stored"]
    waiting += spool.execute("SELECT coalesce(sum(events), 0) FROM chunk").fetchone()[0]
    dead += [[actor, reason, line.decode("utf-8", "replace")] for actor, reason, line in spool.execute(
        "SELECT actor, reason, line FROM dead_letter ORDER BY token")]
    keys += spool.execute("SELECT count(*) FROM idempotency").fetchone()[0]
    for workspace, events in spool.execute("SELECT workspace_id, sum(events) FROM usage GROUP BY workspace_id"):
        used[workspace] = used.get(workspace, 0) + events
    spool.close()
json.dump({"actors": actors, "labels": dict(labels), "rows": int(rows), "ids": int(ids), "acked": acked, "stored": stored,
           "waiting": waiting, "dead": dead, "keys": keys, "used": used,
           "parts": parts, "detached": detached}, sys.stdout)
"""


@dataclass(frozen=True)
class Held:
    """The store's events by actor and the book-keeping of the spool, or of all spools together.

    Attributes:
        actors: how many events each actor has.
        labels: the label of each actor that has one.
        rows: how many events there are.
        ids: how many different event ids.
        acked: events that the spool counted as acknowledged.
        stored: events that the spool counted as stored or put aside.
        waiting: events still in the spool.
        dead: (actor, reason, line) of each dead letter.
        keys: idempotency keys that are kept.
        used: events counted against the plan, by workspace.
        parts: each part of the events, with its number of events and the range of their sequence numbers.
        detached: the parts of any table that are not in use, with the reason.
    """

    actors: Counter[str]
    labels: dict[str, str]
    rows: int
    ids: int
    acked: int
    stored: int
    waiting: int
    dead: list[tuple[str, str, str]]
    keys: int
    used: dict[str, int]
    parts: list[str] = field(compare=False)
    detached: list[str] = field(compare=False)

    def __str__(self) -> str:
        """What a failed comparison needs to be understood."""
        reasons = Counter(reason for _, reason, _ in self.dead)
        return "\n".join(
            [
                f"{self.rows} rows, {self.ids} ids, {self.acked} acked, {self.stored} stored, {self.waiting} waiting",
                *(f"{count} put aside: {reason}" for reason, count in reasons.items()),
                *(f"detached: {part}" for part in self.detached),
                *self.parts,
            ]
        )


def read_held(data: Path, inside: Sequence[str] = (), event_server: Sequence[str] = ()) -> Held:
    """Read what a server that does not run has left.

    Args:
        data: its data directory.
        inside: a command that enters its namespace.
        event_server: the settings that name the server of its events, if they are not in the directory.
    """
    found = json.loads(run_python(_READ, str(data), *event_server, inside=inside))
    found["actors"] = Counter(dict(found["actors"]))
    found["dead"] = [tuple(letter) for letter in found["dead"]]
    return Held(**found)


def run_python(code: str, *arguments: str, inside: Sequence[str] = ()) -> str:
    """Run a few lines in a fresh interpreter and return what they print."""
    done: subprocess.CompletedProcess[Any] = subprocess.run(
        [*inside, sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return str(done.stdout)
