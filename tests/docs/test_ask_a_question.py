"""docs/howto/ask-a-question.md: each question is asked as the page says, and each answer is the one that it shows."""

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.servers.child import run_child
from harness.suite.pasted_blocks import BLOCK, Block, all_blocks, in_one_terminal, new_terminal

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "howto" / "ask-a-question.md"
MORE = "…"


@pytest.fixture
def printed(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables that the page's own server says to set, while it runs."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "demo", *asked_for()]
    environment = os.environ | {"TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            output = ""
            while "until you press Ctrl-C" not in output:
                output += running.stdout.readline()
                assert running.poll() is None, output
            yield dict(re.findall(r"^export (TALLYROOM_\w+)=(\S+)$", output, re.MULTILINE))
        finally:
            running.terminate()
    assert list(scratch.iterdir()) == []


def asked_for() -> list[str]:
    """The arguments of `make demo` on the page."""
    [arguments] = re.findall(r'^make demo ARGS="(.*)"$', PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return str(arguments).split()


@pytest.mark.long
def test_each_answer_is_the_one_on_the_page(printed: dict[str, str], tmp_path: Path) -> None:
    assert set(printed) == {"TALLYROOM_URL", "TALLYROOM_TOKEN"}
    [output] = in_one_terminal(all_blocks(PAGE), new_terminal(tmp_path, **printed), tmp_path)
    answers = [json.loads(line) for line in output.splitlines()]
    assert [answer for answer in answers if "error" in answer or "notices" in answer] == []
    for shown, answer in zip(shown_answers(), answers, strict=True):
        assert shortened(answer, shown) == shown


def shown_answers() -> list[Any]:
    """The answers on the page; each follows its question."""
    found = [Block(match["language"], match["code"]) for match in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]
    assert all(before.language == "sh" for before, each in itertools.pairwise(found) if each.language == "json")
    return [json.loads(block.code) for block in found if block.language == "json"]


def shortened(answer: Any, shown: Any) -> Any:
    """An answer with the fields that are shown of it, and as much of each list."""
    if isinstance(answer, dict) and isinstance(shown, dict):
        return {name: shortened(answer[name], shown[name]) for name in shown if name in answer}
    if isinstance(answer, list) and isinstance(shown, list):
        kept = answer[: len(shown) - 1] if shown[-1:] == [MORE] else answer
        padded = [*shown, *[None] * len(kept)]
        found = [shortened(each, like) for each, like in zip(kept, padded, strict=False)]
        return [*found, MORE] if len(kept) < len(answer) else found
    return answer


COUNTED = """
    import json
    from collections import Counter
    from demo.flights import NEW_YORK, read_airlines, read_flights
    listed = [(each, each.moment.astimezone(NEW_YORK)) for each in read_flights(2)]
    months = Counter(local.month for each, local in listed if each.has_departed and local.year == 2013)
    december = [(each, local) for each, local in listed if (local.year, local.month) == (2013, 12)]
    delays = [int(each.row["dep_delay"]) for each, _ in december if each.has_departed]
    waited = Counter(
        each.row["carrier"] for each, _ in december if not each.has_departed or int(each.row["dep_delay"]) > 120
    ).most_common()
    hours = Counter((local.weekday(), local.hour) for each, local in december if not each.has_departed)
    print(json.dumps({
        "counter": [months[12], months[11]],
        "kpi": [len(listed), len({each.tail_number for each, _ in listed} - {""})],
        "categorical": [[read_airlines()[name], count] for name, count in waited[:3]] + [[None, 0]]
            + [[None, sum(count for _, count in waited[3:])]],
        "histogram": [sum(low <= each < low + 30 + (low == 90) for each in delays) for low in range(0, 120, 30)],
        "cancelled": sum(hours.values()),
        "scheduled": len(december),
        "heatmap": [[hours[day, hour] for hour in range(24)] for day in range(3)],
    }))
"""


def test_the_numbers_of_the_page_are_a_plain_count_over_the_rows_of_the_file() -> None:
    counted = json.loads(run_child(COUNTED, PYTHONPATH=str(ROOT)).stdout)
    shown: dict[str, Any] = {}
    for answer in shown_answers():
        shown.setdefault(answer.get("kind", "actors"), answer)  # the first of each kind
    assert [shown["counter"]["value"], shown["counter"]["previous"]] == counted["counter"]
    assert [item["value"] for item in shown["kpi"]["items"][:2]] == counted["kpi"]
    assert [[row["label"], row["value"]] for row in shown["categorical"]["rows"]] == counted["categorical"]
    assert [bucket["count"] for bucket in shown["histogram"]["buckets"]] == counted["histogram"]
    assert shown["heatmap"]["cells"] == [*counted["heatmap"], MORE]
    assert [answer["value"] for answer in shown_answers() if answer.get("kind") == "counter"][1] == pytest.approx(
        100 * counted["cancelled"] / counted["scheduled"]
    )
