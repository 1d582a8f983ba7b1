"""The ClickHouse engine in this process, whose library is loaded when the first engine is opened and not before.

Loading it takes half a second and 150 MB, which a process with the event store on a server does not need, and begins a
dozen threads, which a process that forks must not have.
"""

from typing import Any


def open_engine(path: str) -> Any:
    """Open an engine, of which a process has one.

    Args:
        path: that of its data; ``:memory:`` for none.

    Raises:
        RuntimeError: the engine refuses, here or in any of its methods.
    """
    import chdb  # noqa: PLC0415 # as above

    return chdb.connect(path)
