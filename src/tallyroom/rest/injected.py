"""How a handler asks for what the app provides: `db: Injected[Session]`."""

from typing import TypeVar

from litestar.di import NamedDependency
from litestar.params import SkipValidation

T = TypeVar("T")

Injected = SkipValidation[NamedDependency[T]]
"""A dependency, found by the parameter's name. It is ours, so the framework need not check its type."""
