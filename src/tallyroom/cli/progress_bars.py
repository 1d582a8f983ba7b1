"""Progress bars for long work, shown only on a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class ProgressBars:
    """Shows each step of `backup.progress.Progress` as a bar that replaces the one before."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task_id = progress.add_task("", total=None, visible=False)

    def begin_step(self, name: str, total: int) -> None:
        """Begin a new step."""
        self._progress.reset(self._task_id, description=name, total=total, visible=True)

    def advance(self, amount: int) -> None:
        """Advance the current step by this much."""
        self._progress.advance(self._task_id, amount)


@contextmanager
def show_progress_bars() -> Iterator[ProgressBars]:
    """Show bars on standard error while the block runs; show nothing if standard error is not a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield ProgressBars(progress)
