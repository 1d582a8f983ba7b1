"""The ClickHouse engine in this process; its library is loaded when the first engine is opened.

Loading takes half a second and 150 MB, and starts a dozen threads, which a process that forks must not have.
"""

from typing import Any


def open_engine(path: str) -> Any:
    """Open the only engine of the process, on a path or ``:memory:``; all of its methods raise `RuntimeError`."""
    import chdb  # noqa: PLC0415 # as above

    return chdb.connect(path)
