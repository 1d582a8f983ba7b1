"""Which tests need no server, no event store and no process: read from the names in their code, not kept as a list.

A test reaches what its function and its fixtures name, and what the functions and classes of that name name in turn,
where they are the tests' own or the product's.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import pytest

import tallyroom

STARTERS = frozenset(
    {"subprocess", "create_subprocess_exec", "multiprocessing", "fork", "sync_playwright"}
    | {"chdb", "clickhouse_connect", "getfixturevalue"}
)
"""What starts a process, what opens an event store, and what asks for a fixture that nobody sees."""

_STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"})  # as Python's audit calls them
_CACHED = type(cache(len))
_ROOT = Path(__file__).parents[3]
_OURS = tuple(
    str(folder.resolve())
    for folder in (_ROOT / "tests", _ROOT / "sdk", _ROOT / "tools", Path(tallyroom.__file__).parent)
)


_forbidden = False


@contextmanager
def no_process_starts() -> Iterator[None]:
    """Fails what starts a process meanwhile: it reaches a starter by a way that `starts_nothing` does not see."""
    global _forbidden  # noqa: PLW0603 # an audit hook stays for as long as the interpreter
    _listen()
    _forbidden = True
    try:
        yield
    finally:
        _forbidden = False


@cache
def _listen() -> None:
    sys.addaudithook(_heard)


def _heard(event: str, _: tuple[object, ...]) -> None:
    if _forbidden and event in _STARTS:
        raise AssertionError(f"a test that is marked fast starts a process ({event})")


def starts_nothing(item: pytest.Function) -> bool:
    """Whether neither the test nor any of its fixtures reaches one of `STARTERS`."""
    fixtures = [each.func for found in item._fixtureinfo.name2fixturedefs.values() for each in found]
    return not any(reaches_a_starter(function) for function in (item.function, *fixtures))


@cache
def reaches_a_starter(function: Callable[..., Any]) -> bool:
    """Whether one of `STARTERS` is named anywhere on the way."""
    seen: set[FunctionType] = set()
    waiting = list(_functions(function))
    while waiting:
        found = waiting.pop()
        if found in seen:
            continue
        seen.add(found)
        names, named = _reads(found)
        if names & STARTERS:
            return True
        waiting += named
    return False


@cache
def _reads(function: FunctionType) -> tuple[frozenset[str], tuple[FunctionType, ...]]:
    """The names in the code of a function, and the functions of ours behind them."""
    names = frozenset(name for code in _codes(function.__code__) for name in code.co_names)
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    values += [
        vars(each)[name] for each in values if isinstance(each, ModuleType) for name in names & vars(each).keys()
    ]
    return names, tuple(each for value in values for each in _functions(value))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function and of all that is defined within it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)


def _functions(value: Any) -> Iterator[FunctionType]:
    """The functions of ours that a value is, wraps, or has as its methods."""
    if isinstance(value, type):
        for each in (method for kind in value.__mro__ for method in vars(kind).values()):
            if not isinstance(each, type):
                yield from _functions(each)
        return
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, (staticmethod, classmethod, MethodType)):
        value = value.__func__
    if not isinstance(value, (FunctionType, _CACHED)):
        return
    value = inspect.unwrap(value)
    if drawn := vars(value).get("hypothesis"):
        value = drawn.inner_test
    if value.__code__.co_filename.startswith(_OURS):
        yield value
