"""Finds one value in a JSON document, by a dot path or by a JMESPath expression (rules/boards#value-path).

A dot path such as `results.0.value` consists of names and list indexes. An expression may create at most one list or
object, and use only the functions below, so that small documents stay small. Evaluation takes a limited number of
steps.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from jmespath.visitor import TreeInterpreter

MAX_PATH_LENGTH: Final = 200
MAX_STEPS: Final = 200_000

FUNCTIONS: Final = frozenset(
    {"abs", "avg", "ceil", "contains", "ends_with", "floor", "keys", "length", "map", "max", "max_by", "min", "min_by"}
    | {"not_null", "reverse", "sort", "sort_by", "starts_with", "sum", "to_number", "type", "values"}
)

_jmespath_functions: Final = Functions()
_DOT_PATH_PATTERN: Final = re.compile(r"[\w-]+(\.[\w-]+)*")
_CONSTRUCTOR_TYPES: Final = frozenset({"multi_select_list", "multi_select_dict"})


class PathWrong(Exception):
    """The text is not a path, or does not fit the document; the message completes a sentence about the path."""


def check_path(path: str) -> None:
    """Raise `PathWrong` if a text is not a path, or uses unsupported parts of JMESPath."""
    if not _DOT_PATH_PATTERN.fullmatch(path):
        _compile_expression(path)


def find_value(document: Any, path: str) -> Any:
    """Return the value at a path; None if there is none. Raise `PathWrong` if it does not fit or takes too long."""
    if _DOT_PATH_PATTERN.fullmatch(path):
        return _follow_path(document, path.split("."))
    try:
        return _LimitedInterpreter().visit(_compile_expression(path), document)
    except (JMESPathError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise PathWrong("does not fit the response") from error


class _LimitedInterpreter(TreeInterpreter):
    def __init__(self) -> None:
        super().__init__()
        self._steps_left = MAX_STEPS

    def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        self._spend_steps(1)
        return super().visit(node, *args, **kwargs)

    def visit_flatten(self, node: Any, value: Any) -> Any:
        outer_list = self.visit(node["children"][0], value)
        if not isinstance(outer_list, list):
            return None
        self._spend_steps(len(outer_list) + sum(len(element) for element in outer_list if isinstance(element, list)))
        return [item for element in outer_list for item in (element if isinstance(element, list) else [element])]

    def visit_function_expression(self, node: Any, value: Any) -> Any:
        arguments = [self.visit(child, value) for child in node["children"]]
        self._spend_steps(sum(len(argument) for argument in arguments if isinstance(argument, list | dict)))
        return _jmespath_functions.call_function(node["value"], arguments)

    def _spend_steps(self, step_count: int) -> None:
        self._steps_left -= step_count
        if self._steps_left < 0:
            raise PathWrong(f"takes more than {MAX_STEPS} steps in the response")


def _follow_path(document: Any, names: list[str]) -> Any:
    for name in names:
        if isinstance(document, dict):
            document = document.get(name)
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            return None
    return document


def _compile_expression(expression: str) -> Any:
    if len(expression) > MAX_PATH_LENGTH:
        raise PathWrong(f"must have at most {MAX_PATH_LENGTH} characters")
    try:
        tree = jmespath.compile(expression).parsed
    except (JMESPathError, ValueError, RecursionError) as error:
        raise PathWrong("is neither a dotted path, such as results.0.value, nor a JMESPath expression") from error
    nodes = list(_walk_nodes(tree))
    for node in nodes:
        if node["type"] == "function_expression" and node["value"] not in FUNCTIONS:
            raise PathWrong(f"uses a function that is not one of {', '.join(sorted(FUNCTIONS))}")
    if sum(node["type"] in _CONSTRUCTOR_TYPES for node in nodes) > 1:
        raise PathWrong("creates more than one list or object")
    return tree


def _walk_nodes(tree: Any) -> Iterator[Any]:
    pending_nodes = [tree]
    while pending_nodes:
        node = pending_nodes.pop()
        if isinstance(node, dict) and "type" in node:
            yield node
            pending_nodes += node.get("children", ())
