"""Dependencies of the app for handlers: `db: Injected[Session]`."""

from typing import TypeVar

from litestar.di import NamedDependency
from litestar.params import SkipValidation

T = TypeVar("T")

Injected = SkipValidation[NamedDependency[T]]
"""Finds a dependency by the parameter's name. The framework need not check its type, because it is ours."""
