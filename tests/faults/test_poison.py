"""An event that the store can never take is put aside, and the queue goes on (rules/safety#dead-letters)."""

import sqlite3
from random import Random

import pytest

from harness.servers.site import MakeSite, Site
from tallyroom.storage.spool.seal import build_seal

_BATCH = 500


def bad_lines(good: str, workspace_id: str, actor: str) -> dict[str, str]:
    """Lines that the store can never take, made from one that it takes; that of `actor` becomes `bad`."""
    line = good.replace(actor, "bad")
    return {
        "no UUID": line.replace(workspace_id, "not-a-uuid"),
        "broken off": line[: len(line) // 2],
        "no closing bracket": line[:-1],
        "open text": line[:10],
        "too few columns": f'["{workspace_id}"]',
        "too many columns": f"{line[:-1]},1]",
        "another type": line.replace('"production",', '"production","x'),
        "lone surrogate": line.replace("poisoned", "\\ud800"),
        "an object": '{"a":1}',
        "no JSON": "hello",
        "NUL": "\0\0\0",
    }


def fill_spool(make_site: MakeSite, batches: int, events: int) -> Site:
    """A dead server whose spool holds so many chunks of so many events, none of which the store has seen."""
    site = make_site().begin("store.insert=block")
    for batch in range(batches):
        actors = [f"{site.seed}-{batch}-{number}" for number in range(events)]
        site.ledger.send(actors)
        body = {"events": [{"name": "poisoned", "_actor": actor} for actor in actors]}
        assert site.workspace.send(body).status_code == 202
        site.ledger.ack(actors)
    site.server.kill()
    return site


def spoil(site: Site, names: list[list[str]]) -> list[str]:
    """Put bad lines at random places of each chunk and return them."""
    chance = Random(site.seed)
    put: list[str] = []
    spool = sqlite3.connect(site.data / "spool.sqlite")
    chunks = spool.execute("SELECT id, month, body FROM chunk ORDER BY id").fetchall()
    assert len(chunks) == len(names)
    with spool:
        for batch, ((chunk_id, month, body), chosen) in enumerate(zip(chunks, names, strict=True)):
            lines = body.decode().splitlines()
            bad = bad_lines(lines[0], site.workspace.workspace_id, f"{site.seed}-{batch}-0")
            for name in chosen:
                lines.insert(chance.randint(0, len(lines)), bad[name])
                put.append(f"{bad[name]}\n")
            new = "".join(f"{line}\n" for line in lines).encode()
            seal = build_seal(month, len(lines), len(new), new)  # as if the program had written the lines
            change = "UPDATE chunk SET events = ?, bytes = ?, body = ?, seal = ? WHERE id = ?"
            spool.execute(change, (len(lines), len(new), new, seal, chunk_id))
        spool.execute("UPDATE number SET value = value + ? WHERE name = 'acked'", (len(put),))
        spool.execute("UPDATE usage SET events = events + ?", (len(put),))
    spool.close()
    return put


KINDS = list(bad_lines("", "-", "-"))


@pytest.mark.parametrize(
    "kinds",
    [["no UUID", "broken off", "NUL"], pytest.param(KINDS, marks=pytest.mark.long)],
    ids=["three kinds", "every kind"],
)
def test_each_bad_line_is_put_aside_with_its_reason(make_site: MakeSite, kinds: list[str]) -> None:
    site = fill_spool(make_site, len(kinds), 3)
    bad = spoil(site, [[kind] for kind in kinds])
    site.start()
    load = site.load(pause=0.05, largest=20)
    load.wait_for(202, 5)
    load.finish()
    site.drained()
    assert site.metric("events_dead_lettered_total") == len(bad)
    held = site.account()
    assert sorted(line for _, _, line in held.dead) == sorted(bad)
    assert all("Code: " in reason for _, reason, _ in held.dead), held.dead
    assert "event put aside" in site.server.text()


@pytest.mark.long
def test_two_bad_lines_among_a_thousand(make_site: MakeSite) -> None:
    site = fill_spool(make_site, 2, _BATCH)
    spoil(site, [["no UUID"], ["broken off"]])
    site.start()
    held = site.account()
    assert (held.rows, len(held.dead)) == (1000, 2)
    assert {actor for actor, _, _ in held.dead} == {"bad", ""}


def kill_while_taking_apart(make_site: MakeSite, failpoints: list[str]) -> None:
    site = fill_spool(make_site, 2, _BATCH)
    spoil(site, [["no UUID"], ["broken off"]])
    for failpoint in failpoints:
        site.run_into(failpoint)
    site.start()
    held = site.account()
    assert (held.rows, len(held.dead)) == (1000, 2)


@pytest.mark.long
def test_killed_while_a_range_is_taken_apart(make_site: MakeSite) -> None:
    kill_while_taking_apart(make_site, ["store.insert.after=kill@2"])


@pytest.mark.long
def test_killed_at_each_step_of_taking_apart(make_site: MakeSite) -> None:
    """Each run gets an insert further than the one before it: what is in the store is not sent again."""
    kill_while_taking_apart(make_site, ["store.insert=kill@2", "store.insert.after=kill@1"] * 7)
