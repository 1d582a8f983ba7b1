"""Every number on the pages about bots is what the Statistics API answers to the same question."""

import re
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Locator

from harness.browser.app import App, settled, take
from harness.browser.numbers import Reading, Told, change_told, words_with
from harness.browser.widgets import bucket, check_summary
from harness.builders.uneven_listing import BOTS, NAMES, OWNER, VOTERS, numbered_bots
from harness.clients.workspace import Workspace

METRICS = ["monthly_votes", "total_votes", "server_count", "review_count"]
ORDERS = [(metric, way) for metric in METRICS for way in ("", "asc")]


@pytest.fixture(scope="module")
def listing(shared_app: App) -> Workspace:
    numbered_bots(shared_app.workspace)
    return shared_app.workspace


def ask(listing: Workspace, path: str, **params: Any) -> Any:
    answer = listing.get(f"/v1/statistics/{path}", **params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def opened(looking: App, path: str) -> Reading:
    return Reading(settled(looking.opens("viewer", path)))


def main(reading: Reading) -> Locator:
    return reading.page.get_by_role("main")


def signed(words: str, number: int) -> Any:
    """Words that end with a change beside another number."""
    return f"{words}{'+' if number > 0 else '−' if number < 0 else ''}{abs(number):,}"


@pytest.mark.long
@pytest.mark.parametrize(("metric", "way"), ORDERS)
def test_rankings(looking: App, listing: Workspace, metric: str, way: str) -> None:
    told = ask(listing, "rankings/bots", sortBy=f"{metric}_rank", sortMethod="desc" if way else "asc", limit=20)
    reading = opened(looking, f"/bots?sort={metric}" + (f"&dir={way}" if way else ""))
    rows = []
    for at, bot in enumerate(told["data"]):
        rank, change = bot.get(f"{metric}_rank"), bot.get(f"{metric}_rank_change")
        if metric == "review_count":
            rank, change = (len(told["data"]) - at if way else at + 1), None
        words = (
            ""
            if change is None
            else "unchanged"
            if change == 0
            else f"↑ up {change}"
            if change > 0
            else f"↓ down {-change}"
        )
        counters = [
            cell for each in METRICS for cell in ([Told(bot[each]), ""] if each == metric else [Told(bot[each])])
        ]
        rows.append([words_with(f"{{}} {words}", Told(rank)), None, *counters, None])
    reading.table(main(reading).get_by_role("table", name="Rankings"), rows)
    reading.says(main(reading).get_by_role("navigation", name="Pages of bots"), "{} bots", Told(told["totalBotCount"]))
    assert [text for text in reading.left() if text != "rank changes over 24 hours"] == []


def changes(bot: Any, recent: Any, metric: str) -> Any:
    """How a counter changed in a day and in a month, from what the API says of the last hours and days."""
    hours, days = recent["hourlyData"], recent["dailyData"]
    now = hours[0][metric]
    found: dict[str, tuple[float, float | None]] = {
        "day": (now, hours[24][metric] if len(hours) > 24 else None),
        "month": (now, days[29][metric] - days[29][f"{metric}_change"] if len(days) >= 30 else None),
    }
    if metric == "monthly_votes":
        told = bot["percentage_changes"]
        for span, percent in (("day", told["daily"]), ("month", told["monthly"])):
            found[span] = (100 + percent, 100) if percent else found[span]
    words, numbers = "", []
    for span, (value, previous) in found.items():
        change, change_numbers = change_told(value, previous)
        if change:
            words, numbers = f"{words} {change} {span}", [*numbers, *change_numbers]
    return words_with(words or "no earlier count", *numbers)


def history(listing: Workspace, bot: str, metric: str, frame: str) -> list[Any]:
    """Oldest first."""
    found = ask(listing, f"bots/{bot}/historical", type=metric, timeFrame=frame)["data"]
    return list(reversed(found))


@pytest.mark.parametrize("place", [0, *(pytest.param(each, marks=pytest.mark.long) for each in range(1, 5))])
def test_one_bot(looking: App, listing: Workspace, place: int) -> None:
    bot, recent = ask(listing, f"bots/{BOTS[place]}"), ask(listing, f"bots/{BOTS[place]}/recent")
    reading = opened(looking, f"/bots/{BOTS[place]}")
    facts = main(reading).locator("dl").filter(has_text="Total votes")
    words = ["Monthly votes", "Total votes", "Servers", "Reviews"]
    shown: list[list[Any]] = [
        [word, Told(bot[each]), changes(bot, recent, each)] for word, each in zip(words, METRICS, strict=True)
    ]
    reading.cells(facts, shown, row=":scope > div", cells=["dt", "dd > span", "dd > p"])
    [row] = [
        each
        for each in ask(listing, "rankings/bots", sortBy="monthly_votes_rank", sortMethod="asc")["data"]
        if each["id"] == bot["id"]
    ]
    change = row["monthly_votes_rank_change"]
    climbed = "" if not change else f" ↑ up {change}" if change > 0 else f" ↓ down {-change}"
    rating = words_with(
        "{} of 5, {} review" + "s" * (bot["review_count"] != 1),
        Told(bot["avg_review_rating"], "1"),
        Told(bot["review_count"]),
    )
    places: list[list[Any]] = [
        ["By monthly votes", words_with(f"{{}}{climbed}", Told(bot["monthly_votes_rank"], "place"))],
        ["By servers", Told(bot["server_count_rank"], "place")],
        ["Rating", rating if bot["review_count"] else "no reviews"],
    ]
    reading.cells(main(reading).locator("dl").filter(has_text="By servers"), places, row="div", cells=["dt", "dd"])
    check_recent(reading, recent)
    check_voters(reading, listing, place)
    check_history(reading, listing, [place], "monthly_votes", "90d")
    reading.cells(main(reading).locator("ul").filter(has_text=BOTS[place]).first, [[None]])
    names = [text for text in reading.left() if not re.search("…|prefix", text)]
    assert names == []


def check_recent(reading: Reading, recent: Any) -> None:
    for by, entries in (("By hour", recent["hourlyData"]), ("By day", recent["dailyData"])):
        take(main(reading).get_by_role("radio", name=by))
        more = main(reading).get_by_role("button", name=re.compile("^Show all"))
        if more.count():
            reading.says(more, "Show all {}", Told(len(entries)))
            more.click()
        rows = [
            [
                None,
                Told(each["total_votes_change"], "change"),
                Told(each["total_votes"]),
                words_with(signed("{} ", each["server_count_change"]), Told(each["server_count"])),
                Told(each["review_count"]),
            ]
            for each in entries
        ]
        reading.table(main(reading).get_by_role("table", name="Recent"), rows)


def check_voters(reading: Reading, listing: Workspace, place: int) -> None:
    told = ask(listing, f"bots/{BOTS[place]}/leaderboard", limit=10)["data"]
    if not told["leaderboard"]:
        return
    rows = [
        [
            Told(int(each["position"])),
            None,
            words_with(
                f"{{}} {each['voteCount']:,} vote{'s' * (each['voteCount'] != 1)}", Told(each["totalVotesByWeight"])
            ),
            words_with("{} d", Told(each["streakCount"])) if each["streakCount"] else "none",
        ]
        for each in told["leaderboard"]
    ]
    reading.table(main(reading).get_by_role("table", name="Voters"), rows)
    pages = main(reading).get_by_role("navigation", name="Pages of voters").locator("span").first
    reading.says(pages, "{} to {} of {}", Told(1), Told(len(rows)), Told(int(told["total"])))


def check_history(
    reading: Reading, listing: Workspace, places: list[int], metric: str, frame: str, card: str = "History"
) -> None:
    """The chart of one or more bots, in words and as a table."""
    lines = {place: history(listing, BOTS[place], metric, frame) for place in places}
    times = sorted({point["time"] for line in lines.values() for point in line})
    values = {place: {point["time"]: int(point[metric]) for point in line} for place, line in lines.items()}
    columns = [[values[place].get(time) for time in times] for place in places]
    history_card = main(reading).get_by_role("region", name=card, exact=True)
    if card == "History":
        totals = [[Told(int(lines[place][-1][metric]))] for place in places]
        reading.cells(history_card.get_by_role("list", name="Legend"), totals, row="b", cells=[""])
    check_summary(reading, history_card.get_by_role("application"), columns)
    history_card.get_by_role("button", name=f"{card} menu").click()
    reading.page.get_by_role("menuitem", name="View as table").click()
    rows = [[bucket(time, "day"), *(Told(column[at]) for column in columns)] for at, time in enumerate(times)]
    reading.table(history_card.get_by_role("table"), rows)


@pytest.mark.long
def test_a_voter(looking: App, listing: Workspace) -> None:
    told = ask(listing, f"bots/{BOTS[0]}/leaderboard/{VOTERS[10]}")
    voter = told["data"]
    reading = opened(looking, f"/bots/{BOTS[0]}/votes/{VOTERS[10]}")
    facts: list[list[Any]] = [
        ["Place", Told(int(voter["position"]), "place"), words_with("of {} voters", Told(int(told["total"])))],
        ["Weight", Told(voter["totalVotesByWeight"]), None],
        ["Votes", Told(voter["voteCount"]), None],
        ["Streak", Told(voter["streakCount"]), None],
    ]
    reading.cells(main(reading).locator("dl"), facts, row=":scope > div", cells=["dt", "dd > span", "dd > p"])
    assert reading.left() == []


@pytest.mark.long
def test_the_bots_of_a_user(looking: App, listing: Workspace) -> None:
    bots = sorted(ask(listing, f"users/{OWNER}/bots")["bots"], key=lambda bot: bot["monthly_votes_rank"])
    reading = opened(looking, f"/bots/users/{OWNER}")
    votes, *others = METRICS
    rows = [
        [Told(bot["monthly_votes_rank"], "place"), None, Told(bot[votes]), "", *(Told(bot[each]) for each in others)]
        for bot in bots
    ]
    reading.table(main(reading).get_by_role("table", name="Bots"), rows)
    facts: list[list[Any]] = [
        ["Bots", Told(len(bots))],
        ["Best rank", Told(min(bot["monthly_votes_rank"] for bot in bots), "place")],
        ["Monthly votes", Told(sum(bot["monthly_votes"] for bot in bots))],
        ["Servers", Told(sum(bot["server_count"] for bot in bots))],
    ]
    reading.cells(main(reading).locator("dl"), facts, row=":scope > div", cells=["dt", "dd > span"])
    reading.says(main(reading).get_by_role("navigation", name="Pages of bots"), "{} bots", Told(len(bots)))
    assert [text for text in reading.left() if "…" not in text] == []


@pytest.mark.long
def test_a_comparison(looking: App, listing: Workspace) -> None:
    places = [0, 1, 2, 3]
    ids = [BOTS[place] for place in places]
    bots = ask(listing, f"compare/{'/'.join(ids)}")["data"]
    assert [bot["name"] for bot in bots] == NAMES[:4]
    reading = opened(looking, f"/bots/compare?ids={','.join(ids)}")
    lines: list[tuple[str, list[Any], str, int, str | None]] = [
        ("Rank by monthly votes", [bot["monthly_votes_rank"] for bot in bots], "place", -1, None),
        ("Monthly votes", [bot["monthly_votes"] for bot in bots], "exact", 1, "monthly_votes"),
        ("Total votes", [bot["total_votes"] for bot in bots], "exact", 1, "total_votes"),
        ("Votes a day, 30 days", [pace(listing, each) for each in ids], "exact", 1, None),
        ("Servers", [bot["server_count"] for bot in bots], "exact", 1, "server_count"),
        ("Shards", [bot["shard_count"] for bot in bots], "exact", 0, None),
        (
            "Monthly votes per 100 servers",
            [100 * bot["monthly_votes"] / bot["server_count"] for bot in bots],
            "",
            1,
            None,
        ),
        ("Rating", [bot["avg_review_rating"] if bot["review_count"] else None for bot in bots], "1", 1, None),
        ("Reviews", [bot["review_count"] for bot in bots], "exact", 1, "review_count"),
    ]
    start = common_start(listing, ids)
    rows = []
    for words, values, form, better, metric in lines:
        known = [better * value for value in values if value is not None]
        best = [better != 0 and value is not None and better * value == max(known) for value in values]
        cells: list[Any] = []
        for bot, value, wins in zip(ids, values, best, strict=True):
            written = form or ("1" if value < 100 else "0")
            cells.append(words_with("{} best" if wins else "{}", Told(value, written)))
            cells.append(changed(listing, bot, metric, value, start))
        rows.append([words, *cells])
    reading.table(main(reading).get_by_role("table", name="Comparison"), rows)
    check_history(reading, listing, places, "monthly_votes", "90d", card="Race")
    check_side(reading, listing, ids)
    assert reading.left() == []


def common_start(listing: Workspace, ids: list[str]) -> str:
    """The first moment at which all have monthly votes."""
    alive = [
        {each["time"] for each in history(listing, bot, "monthly_votes", "90d") if each["monthly_votes"]} for bot in ids
    ]
    return str(min(set.intersection(*alive)))


def changed(listing: Workspace, bot: str, metric: str | None, value: int, start: str) -> Any:
    """How a counter changed since a moment."""
    if metric is None:
        return ""
    [before] = [each[metric] for each in history(listing, bot, metric, "90d") if each["time"] == start]
    words, numbers = change_told(value, before)
    return words_with(words, *numbers)


def check_side(reading: Reading, listing: Workspace, ids: list[str]) -> None:
    """The votes of a week, and the bot that is not compared; tests/browser/test_race.py has who leads."""
    week = []
    for bot, name in zip(ids, NAMES, strict=False):
        totals = [int(each["total_votes"]) for each in history(listing, bot, "total_votes", "30d")[-1 :: -7 * 24]][:3]
        words, numbers = change_told(totals[0] - totals[1], totals[1] - totals[2])
        known = totals[0] >= totals[1] >= totals[2]
        week.append(
            [
                name,
                Told(totals[0] - totals[1] if totals[0] >= totals[1] else None),
                words_with(words, *numbers) if known else "",
            ]
        )
    votes = main(reading).get_by_role("region", name="Votes of the last 7 days")
    reading.cells(votes.get_by_role("list"), week, row="li", cells=["span > span", "b", ":scope > span:last-child"])
    near = main(reading).get_by_role("region", name="Closest to Encore").get_by_role("listitem")
    reading.says(near, "{}Quiet{}Add Quiet", Told(5, "place"), Told(0))
    reading.cells(main(reading).get_by_role("region", name="Who leads"), [[None]])
    reading.says(votes.get_by_role("heading"), "Votes of the last 7 days")


def pace(listing: Workspace, bot: str) -> int | None:
    """How many votes a day came in the last 30 days."""
    line = history(listing, bot, "total_votes", "30d")
    first, last = (datetime.fromisoformat(each["time"]) for each in (line[0], line[-1]))
    days = (last - first).total_seconds() / 86_400
    grown = int(line[-1]["total_votes"]) - int(line[0]["total_votes"])
    return None if days < 1 else max(0, round(grown / days))


@pytest.mark.long
def test_when_a_bot_was_fed(looking: App, listing: Workspace) -> None:
    reading = opened(looking, f"/bots/feeding?bot={BOTS[1]}")
    fed = main(reading).locator("dl").filter(has_text="Last fed").get_by_role("time")
    assert fed.get_attribute("datetime") == ask(listing, f"bots/{BOTS[1]}")["timestamp"]
    tokens = listing.get("/v1/stats-tokens").json()["statsTokens"]
    assert main(reading).get_by_role("table", name="Statistics tokens").get_by_role("row").count() == len(tokens) + 1
