"""CONTRIBUTING.md: the house rules that can be counted hold for every file, and each exception is still needed."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from harness.suite.embedded_only import EMBEDDED_ONLY
from harness.suite.sqlite_only import SQLITE_ONLY

ROOT = Path(__file__).parents[1]
PRODUCT = ROOT / "src" / "tallyroom"
TESTS = ROOT / "tests"
FOLDERS = ("src", "tests", "bench", "demo", "tools", "typefaces", "sdk")
FILES = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*"))
    if not {"node_modules", "__pycache__"} & set(path.parts)
]
MODULES = [path.relative_to(ROOT).as_posix() for path in FILES if path.suffix == ".py"]

LINES_OF_FILE, LINES_OF_FUNCTION = 250, 30
ELSEWHERE_OF_FILE, ELSEWHERE_OF_FUNCTION = 450, 60


class Exceeding(NamedTuple):
    """How long a file or function is that is longer than its bound, and why; the number shrinks with it."""

    lines: int
    reason: str


LONG_FILES = {
    "src/tallyroom/auth/repository.py": Exceeding(255, "short queries that more than one resource needs"),
    "tests/browser/test_numbers.py": Exceeding(465, "every number of every page, a page in each function"),
}
LONG_FUNCTIONS = {
    "bench/hostile/listings.py on_statistics": Exceeding(81, "a list of attacks, each a few lines"),
    "src/tallyroom/cli/import_run.py run_import": Exceeding(
        34, "one import, which is summed up wherever it breaks off"
    ),
    "src/tallyroom/storage/metadata/migrations/versions/0001_identity.py _create_people": Exceeding(
        45, "released, so never edited"
    ),
    "src/tallyroom/storage/metadata/migrations/versions/0004_listings.py _create_bots": Exceeding(
        40, "released, so never edited"
    ),
    "src/tallyroom/server/metric_values.py build_metrics": Exceeding(55, "a line for each number"),
    "src/tallyroom/server/opening.py _open_parts": Exceeding(78, "opens the parts in the one order that works"),
    "src/tallyroom/bots/statistics_api/records.py _build_record": Exceeding(
        36, "a line for each field that clients know"
    ),
}

FORBIDDEN = re.compile(r"(?:^|_)(?:utils?|helpers?|common|misc|managers?|base|legacy)(?:_|$)")
UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b")
TEXT = {".py", ".md", ".sql", ".js", ".json", ""}

PRAGMA = r"# (?:noqa: [A-Z]+\d+(?:, [A-Z]+\d+)*|type: ignore\[[a-z-]+(?:, ?[a-z-]+)*\]|fmt: (?:skip|off))"
IGNORE = re.compile(r"\b(?:noqa|type: ?ignore|nosec|nosemgrep|fmt: ?(?:skip|off)|(?:pragma|pylint|mypy|ruff|isort):)")
REASONED = re.compile(rf"(?:{PRAGMA}\s+)+# \w.+")

ONLY_IN = {
    r"\btime\.(?:time|monotonic|perf_counter)(?:_ns)?\(|\.(?:now|today|utcnow)\(": {
        "core/clock.py": "the clock that is passed in",
        "core/daemon_threads.py": "the end of a process waits for threads, whatever its clock says",
    },
    r"\b(?:urandom|getrandbits|token_bytes|token_hex|token_urlsafe|uuid[14])\b|\bRandom\(": {
        "cli/collect.py": "passes it in",
        "cli/import_run.py": "passes it in",
        "core/ids.py": "the ids that are passed in",
        "core/vault.py": "makes the key that stored secrets are encrypted with",
        "operations/backup/restore.py": "the default of what is passed in",
    },
    r"\bos\.(?:environ|getenv)\b": {
        "cli/backup.py": "reads the settings",
        "cli/doctor.py": "reads the settings",
        "cli/import_command.py": "asks where the user keeps files",
        "cli/migrate_store.py": "reads the settings",
        "cli/serve.py": "reads the settings",
        "cli/spool.py": "reads the settings",
        "cli/user.py": "reads the settings",
    },
    r"\.commit\(": {"storage/metadata/transaction.py": "ends the transaction of a request"},
}
"""What the product takes from the machine or does once, with the only files that may, and why."""

OF_THE_WHOLE = {
    "measure",
    "contract",
    "faults",
    "docs",
    "demo",
    "browser",
    "deploy",
    "upgrade",
}
"""Folders of tests that are about no single folder of the product."""

TESTED_ELSEWHERE = {
    "bots/listing": "tests/contract/test_public_listing.py",
    "bots/tokens": "tests/contract/test_stats_tokens.py",
    "workspaces/workspaces": "tests/contract/test_workspaces.py",
    "storage/metadata/migrations": "tests/storage/metadata/test_migrate.py",
    "storage/metadata/migrations/versions": "tests/storage/metadata/test_migrate.py",
    "storage/metadata/models": "tests/storage/metadata/test_migrate.py",
    "bots/statistics_api": "tests/contract/test_statistics_fields.py",
    "bots/statistics_api/bots": "tests/contract/test_statistics_fields.py",
}
"""Folders of the product without a folder of tests, each with the file that tests it."""

STORIES = {
    "alerts/back_test/test_recount_in_app.py": "`back_test.py` beside the count of the web app",
    "alerts/evaluation/test_delays.py": "`evaluation.py` while the event store is behind",
    "alerts/evaluation/test_exactly_at_the_threshold.py": "`conditions.py` with the numbers of a real store",
    "auth/sign_in/test_familiar_places.py": "signing in from them, with the limit on guessing",
    "auth/sign_in/test_invented_tokens.py": "every route that takes a token",
    "auth/sign_in/test_login.py": "signing in and out takes routes, service and sessions",
    "auth/sign_in/test_resets.py": "from asking for a link to the new password",
    "auth/sign_in/test_signup.py": "signing up takes routes, service and what it creates",
    "auth/sign_in/test_turns.py": "whose turn it is at each of the doors",
    "auth/sign_in/test_writers.py": "in whose turn each of the doors writes",
    "cli/test_import*.py": "the command `import`, which no module can be called",
    "cli/test_round_trip.py": "two commands, one after the other",
    "events/list/test_direct.py": "the short way through `ingest.py`",
    "events/list/test_shared_stream.py": "`stream.py` where several workers serve",
    "images/charts/test_golden.py": "whole pictures",
    "images/charts/test_rules*.py": "the fixtures that the web app's charts share, and the functions",
    "images/test_random.py": "every way to order a picture",
    "import_export/ids/test_crashes.py": "the whole folder, killed anywhere",
    "ingest/drain/test_random_damage.py": "every file of the spool, damaged anywhere",
    "mail/test_encryption.py": "`email.py` with servers of all sorts",
    "operations/installation/test_shared_start.py": "the starts of several workers, with a server for metadata and events",
    "queries/test_hostile.py": "every kind of widget, with hostile texts",
    "queries/test_isolation.py": "every kind of widget, with two workspaces",
    "queries/kept_answers/test_same_answers.py": "every kind of widget beside a cold question, whatever happens",
    "queries/test_sum_order.py": "sums through the store, with its blocks and merges",
    "server/protocol/test_half_closed.py": "a kind of client",
    "server/protocol/test_on_a_server.py": "the whole folder in a running server",
    "server/protocol/test_unread.py": "kinds of clients, on real connections",
    "server/test_stuck_query.py": "a stop, from the store to the server",
    "storage/event_store/test_id.py": "`event_id.py` with the events of a real store",
    "storage/event_store/test_typed_maps.py": "what a migration of the store computes",
    "storage/spool/test_astray.py": "`queue.py` in a directory that moves",
    "test_house.py": "the house rules",
    "workspaces/test_outrun.py": "every write of every resource",
}
"""Files of tests that are about more than one module, or less; a star stands for any ending."""


@cache
def source(module: str) -> str:
    return (ROOT / module).read_text(encoding="utf-8")


class Outline(NamedTuple):
    """What is asked of a module; to keep its tree would make every later collection of garbage slower."""

    docstring: str | None
    lengths: list[tuple[str, int]]
    """Its functions, with the number of their lines below signature and docstring."""


@cache
def outline(module: str) -> Outline:
    tree = ast.parse(source(module))
    return Outline(ast.get_docstring(tree), list(lengths(module, tree)))


def lengths(module: str, tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            yield f"{module} {node.name}", (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def ignores(module: str) -> Iterator[str]:
    """The comments of a module that tell a tool to look away."""
    if not IGNORE.search(source(module)):
        return
    tokens = tokenize.generate_tokens(io.StringIO(source(module)).readline)
    comments = (token.string for token in tokens if token.type == tokenize.COMMENT)
    yield from filter(IGNORE.search, comments)


def is_product(module: str) -> bool:
    return module.startswith("src/")


def folders_of(top: Path) -> set[str]:
    """The folders below `top` with code in them."""
    files = (path for path in top.rglob("*.py") if path.name != "__init__.py" and "node_modules" not in path.parts)
    return {path.parent.relative_to(top).as_posix() for path in files} - {"."}


def check_lengths(lengths: dict[str, int], exceptions: dict[str, Exceeding]) -> None:
    """None is longer than its exception allows, and each exception is still needed."""
    bounds = {name: exception.lines for name, exception in exceptions.items()}
    assert {name: length for name, length in lengths.items() if length > bounds.get(name, 0)} == {}
    assert bounds.keys() <= lengths.keys()


def mirrors(test: Path) -> bool:
    """Whether a file of tests is called by a module or folder beside which it would stand, or by its own folder."""
    name = test.stem.removeprefix("test_")
    beside = PRODUCT / test.parent.relative_to(TESTS)
    known = {path.stem for path in beside.glob("*") if path.suffix == ".py" or path.is_dir()} | {test.parent.name}
    return any(name == each or name.startswith(f"{each}_") for each in known)


def test_each_module_says_what_it_is_for() -> None:
    assert [module for module in MODULES if not outline(module).docstring] == []


def test_no_file_is_longer_than_it_may_be() -> None:
    lines = {module: len(source(module).splitlines()) for module in MODULES}
    bounds = {module: LINES_OF_FILE if is_product(module) else ELSEWHERE_OF_FILE for module in MODULES}
    check_lengths({module: count for module, count in lines.items() if count > bounds[module]}, LONG_FILES)


def test_no_function_is_longer_than_it_may_be() -> None:
    found = [each for module in MODULES for each in outline(module).lengths]
    long = {name: lines for name, lines in found if lines > ELSEWHERE_OF_FUNCTION}
    long |= {name: lines for name, lines in found if lines > LINES_OF_FUNCTION and is_product(name)}
    check_lengths(long, LONG_FUNCTIONS)


def test_each_ignore_has_its_reason() -> None:
    found = [(module, comment) for module in MODULES for comment in ignores(module)]
    assert len(found) > 100
    assert [each for each in found if not REASONED.fullmatch(each[1])] == []


def test_an_ignore_of_the_configuration_has_its_reason() -> None:
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    codes = [line for line in lines if re.search(r'"[A-Z]+\d*"[,\]]', line) and not line.startswith("select = ")]
    assert codes
    assert [line for line in codes if not re.search(r" # \w", line)] == []
    overrides = [at for at, line in enumerate(lines) if line == "[[tool.mypy.overrides]]"]
    assert overrides
    assert [lines[at + 1] for at in overrides if not lines[at + 1].startswith("# ")] == []


def test_time_chance_settings_and_commits_have_their_places() -> None:
    for pattern, places in ONLY_IN.items():
        modules = [module for module in MODULES if is_product(module) and re.search(pattern, source(module))]
        assert modules == sorted(f"src/tallyroom/{place}" for place in places), pattern


def test_no_file_has_a_name_that_says_nothing() -> None:
    found = [path for path in FILES if path.is_dir() or path.suffix in TEXT]
    assert [path for path in found if FORBIDDEN.search(path.name.split(".")[0])] == []


def test_nothing_is_left_to_be_done_later() -> None:
    pages = [ROOT / "Makefile", *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    texts = {
        path: path.read_text(encoding="utf-8") for path in [*pages, *FILES] if path.is_file() and path.suffix in TEXT
    }
    assert [path for path, text in texts.items() if UNFINISHED.search(text)] == []


def test_tests_stand_where_the_product_does() -> None:
    product, tests = folders_of(PRODUCT), folders_of(TESTS)
    assert {folder for folder in tests - product if not folder.startswith("harness/")} == OF_THE_WHOLE
    assert product - tests == set(TESTED_ELSEWHERE)
    assert [file for file in TESTED_ELSEWHERE.values() if not (ROOT / file).is_file()] == []


def test_each_test_that_is_left_out_on_a_server_exists() -> None:
    functions = [name for module in MODULES for name, _ in outline(module).lengths if module.startswith("tests/")]
    tests = [name.replace(" test_", "::test_") for name in functions]
    listed = [start.partition("[")[0] for start in (*SQLITE_ONLY, *EMBEDDED_ONLY)]
    assert [start for start in listed if not any(test.startswith(start) for test in tests)] == []


def test_a_file_of_tests_is_called_by_what_it_tests() -> None:
    files = [path for path in sorted(TESTS.rglob("test_*.py")) if path.relative_to(TESTS).parts[0] not in OF_THE_WHOLE]
    others = [path for path in files if not mirrors(path)]
    unlisted = [path for path in others if not any(path.relative_to(TESTS).match(story) for story in STORIES)]
    assert unlisted == []
    needless = [story for story in STORIES if not any(path.relative_to(TESTS).match(story) for path in others)]
    assert needless == []
