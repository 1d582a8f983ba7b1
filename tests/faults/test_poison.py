"""An event that the store can never take is put aside, and the queue goes on (reliability 3, 9)."""

import json
import sqlite3
import time
from random import Random

import pytest

from harness.site import MakeSite, Site

BAD_LINES = {
    "no UUID": '["not-a-uuid","production",1,1,1,1,"bad","bad","","",{}]',
    "broken off": '["01234567-89ab-7def-8123-456789abcdef","production",17',
    "no closing bracket": '["01234567-89ab-7def-8123-456789abcdef","production",1,1,1,1,"bad","bad","","",{}',
    "open text": '["01234567-89ab-7def-8123-456789abcdef',
    "too few columns": '["01234567-89ab-7def-8123-456789abcdef"]',
    "a number is text": '["01234567-89ab-7def-8123-456789abcdef","production","x",1,1,1,"bad","bad","","",{}]',
    "negative": '["01234567-89ab-7def-8123-456789abcdef","production",1,1,1,-1,"bad","bad","","",{}]',
    "lone surrogate": '["01234567-89ab-7def-8123-456789abcdef","production",1,1,1,1,"\\ud800","bad","","",{}]',
    "an object": '{"a":1}',
    "no JSON": "hello",
    "NUL": "\0\0\0",
}


def spoil(site: Site, good: int, bad: list[str]) -> None:
    """Put one chunk of `good` events with `bad` lines among them into the file of a server that does not run."""
    chance = Random(site.seed)
    spool = sqlite3.connect(site.data / "spool.sqlite")
    numbers = dict(spool.execute("SELECT name, value FROM number"))
    now, first = int(time.time() * 1000), numbers["next_seq"]
    month = int(time.strftime("%Y%m", time.gmtime(now / 1000)))
    actors = [f"{site.seed}-{first + index}" for index in range(good)]
    whose = [site.workspace.workspace_id, "production"]
    lines = [
        json.dumps([*whose, now, now, numbers["spool"], first + index, "good", actor, "label", "", {"n": index}])
        for index, actor in enumerate(actors)
    ]
    for line in bad:
        lines.insert(chance.randint(0, len(lines)), line)
    body = "".join(f"{line}\n" for line in lines).encode()
    usage = json.dumps([[site.workspace.workspace_id, month, len(lines)]])
    with spool:
        spool.execute(
            "INSERT INTO intake (month, events, bytes, body, last_seq, usage, replays) VALUES (?, ?, ?, ?, ?, ?, '[]')",
            (month, len(lines), len(body), body, first + good, usage),
        )
    spool.close()
    site.ledger.send(actors)
    site.ledger.ack(actors)


def stopped(make_site: MakeSite) -> Site:
    site = make_site().begin()
    site.server.stop()
    return site


def test_each_bad_line_is_put_aside_with_its_reason(make_site: MakeSite) -> None:
    site = stopped(make_site)
    for line in BAD_LINES.values():
        spoil(site, 3, [line])
    site.start()
    load = site.load()
    load.wait_for(202, 5)
    load.finish()
    site.drained()
    assert site.metric("events_dead_lettered_total") == len(BAD_LINES)
    held = site.account()
    assert sorted(line for _, _, line in held.dead) == sorted(f"{line}\n" for line in BAD_LINES.values())
    assert all("Code: " in reason for _, reason, _ in held.dead), held.dead
    assert "event put aside" in site.server.text()


@pytest.mark.long
def test_two_bad_lines_among_a_thousand(make_site: MakeSite) -> None:
    site = stopped(make_site)
    spoil(site, 1000, [BAD_LINES["no UUID"], BAD_LINES["broken off"]])
    site.start()
    held = site.account()
    assert (held.rows, len(held.dead)) == (1000, 2)
    assert {actor for actor, _, _ in held.dead} == {"bad", ""}


def kill_while_taking_apart(site: Site, failpoints: list[str]) -> None:
    spoil(site, 1000, [BAD_LINES["no UUID"], BAD_LINES["broken off"]])
    for failpoint in failpoints:
        site.run_into(failpoint)
    site.start()
    held = site.account()
    assert (held.rows, len(held.dead)) == (1000, 2)


def test_killed_while_a_range_is_taken_apart(make_site: MakeSite) -> None:
    points = ["store.insert=kill@2", "store.insert=kill@5", "store.insert.after=kill@2", "store.insert.after=kill@4"]
    kill_while_taking_apart(stopped(make_site), points)


@pytest.mark.long
def test_killed_at_each_step_of_taking_apart(make_site: MakeSite) -> None:
    points = [f"store.insert=kill@{hit}" for hit in (2, 2, 2, 3, 3, 4, 5, 6, 7, 8)]
    points += [f"store.insert.after=kill@{hit}" for hit in range(1, 9)]
    kill_while_taking_apart(stopped(make_site), points)
