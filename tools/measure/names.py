"""The names that code gives to values: parameters, assignments and loops, once for each scope (TypeScript: file)."""

import ast
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tools.measure.words import is_bare, is_irregular

_BINDING = re.compile(
    r"\b(?:const|let)\s+([A-Za-z_]\w*)"
    r"|\b(?:const|let)\s+[\[{]([^=\]}]*)[\]}]"
    r"|\(([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\)\s*=>"
    r"|\b([a-z]\w*)\s*=>"
)
_WORD = re.compile(r"[A-Za-z_]\w*")


class Names(NamedTuple):
    """How often each name is given to a value, in each file."""

    counts_by_path: dict[Path, Counter[str]]

    def total(self) -> int:
        return sum(sum(counts.values()) for counts in self.counts_by_path.values())

    def bare_per_1000(self) -> float:
        """Return how many of 1,000 names are a single participle or pronoun."""
        return self._per_1000(sum(self.bare().values()))

    def irregular_per_1000(self) -> float:
        """Return how many of 1,000 names are one that does not end with -ed."""
        return self._per_1000(sum(count for name, count in self.bare().items() if is_irregular(name)))

    def bare(self) -> Counter[str]:
        return sum((self.bare_in(path) for path in self.counts_by_path), Counter[str]())

    def bare_in(self, path: Path) -> Counter[str]:
        return Counter({name: count for name, count in self.counts_by_path[path].items() if is_bare(name)})

    def _per_1000(self, count: int) -> float:
        return count / max(self.total(), 1) * 1000


def python_names(files: Iterable[Path]) -> Names:
    """Return the names in modules."""
    return Names({path: _python_names(path.read_text(encoding="utf-8")) for path in files})


def typescript_names(files: Iterable[Path]) -> Names:
    """Return the names in files of TypeScript."""
    return Names({path: _typescript_names(path.read_text(encoding="utf-8")) for path in files})


class _Bindings(ast.NodeVisitor):
    """Collects names scope by scope."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._scopes: list[set[str]] = [set()]

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_scope(node, node.args)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_scope(node, node.args)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_scope(node, node.args)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_scope(node, None)

    def _visit_scope(self, node: ast.AST, arguments: ast.arguments | None) -> None:
        self._scopes.append(set())
        if arguments is not None:
            all_ = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            for argument in all_:
                if argument is not None and argument.arg not in {"self", "cls"}:
                    self._bind(argument.arg)
        self.generic_visit(node)
        self._scopes.pop()

    def _bind(self, name: str) -> None:
        if name not in self._scopes[-1]:
            self._scopes[-1].add(name)
            self.counts[name] += 1


def _python_names(text: str) -> Counter[str]:
    bindings = _Bindings()
    bindings.visit(ast.parse(text))
    return bindings.counts


def _typescript_names(text: str) -> Counter[str]:
    groups = (group for match in _BINDING.finditer(text) for group in match.groups() if group)
    return Counter({word for group in groups for word in _WORD.findall(group)})
