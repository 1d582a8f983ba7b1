"""`tallyroom export`: brings events from a running server to a file."""

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from getpass import getpass
from pathlib import Path
from typing import Annotated, Final

import httpx
from cyclopts import Parameter
from rich.console import Console
from rich.filesize import decimal
from rich.progress import DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TransferSpeedColumn

from tallyroom.import_export.download import (
    ExportRequest,
    ExportStopped,
    Form,
    ReceivedCount,
    connected,
    download,
    signed_in,
)
from tallyroom.import_export.target import STANDARD_OUTPUT, open_target, without_gzip

_FORMS: Final[dict[str, Form]] = {
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "ndjson",
    ".csv": "csv",
    ".parquet": "parquet",
}
_OUTPUT: Final = Parameter(
    name=["--output", "-o"], allow_leading_hyphen=True, help="The file, also .gz; - is standard output."
)


@dataclass(frozen=True)
class ServerOptions:
    """Where the events come from."""

    url: Annotated[str, Parameter(env_var="TALLYROOM_URL", help="Address of the server.")] = "http://127.0.0.1:8480"
    token: Annotated[
        str,
        Parameter(
            env_var="TALLYROOM_TOKEN",
            show_default=False,
            help="Session or personal access token; without one, the command asks for e-mail address and password.",
        ),
    ] = ""


@dataclass(frozen=True)
class EventOptions:
    """Which events to export."""

    environment: Annotated[str | None, Parameter(help="Environment of the events; by default production.")] = None
    from_: Annotated[
        str | None, Parameter(name="--from", help="First moment, as in 2026-11-01 or 2026-11-01T09:30Z.")
    ] = None
    to: Annotated[str | None, Parameter(name="--to", help="The end, which is not included.")] = None
    form: Annotated[Form | None, Parameter(name="--format", help="Format of the file, if its suffix does not say.")] = (
        None
    )


def export(
    *,
    output: Annotated[Path, _OUTPUT],
    events: Annotated[EventOptions, Parameter(name="*")] = EventOptions(),  # frozen
    server: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # frozen
) -> None:
    """Write the events of a running server to a file: NDJSON, CSV or Parquet.

    The file appears only when it is complete. docs/howto/export.md has examples.
    """
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    request = ExportRequest(events.form or _form_of(output), events.environment, events.from_, events.to)
    with _interruptible(), connected(server.url) as client, ExitStack() as stack:
        token = server.token.strip() or stack.enter_context(_asked_for(client))
        file = stack.enter_context(open_target(output))
        counter = stack.enter_context(_progress(request.form, output, console))
        for piece in download(client, token, request, console.print):
            file.write(piece)
            counter.take(piece)
    console.print(f"{'Exported' if output == STANDARD_OUTPUT else output}: {_counted(counter)}.")


def _form_of(output: Path) -> Form:
    return _FORMS.get(without_gzip(output).suffix.lower(), "ndjson")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Turn a signal to stop into a sentence, after everything is tidied up."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        raise ExportStopped("Interrupted. The export is not complete.") from None


@contextmanager
def _asked_for(client: httpx.Client) -> Iterator[str]:
    """Ask for address and password, and yield the token of a session that exists only for this export."""
    if not sys.stdin.isatty():
        raise ExportStopped("No token: set TALLYROOM_TOKEN, or pass --token.")
    sys.stderr.write("E-mail: ")
    sys.stderr.flush()
    with signed_in(client, sys.stdin.readline().strip(), getpass("Password: ")) as token:
        yield token


@contextmanager
def _progress(form: Form, output: Path, console: Console) -> Iterator[ReceivedCount]:
    """Count what arrives, and show the count if standard error is a terminal and the file goes elsewhere."""
    visible = console.is_terminal and not (output == STANDARD_OUTPUT and sys.stdout.isatty())
    columns = (SpinnerColumn(), TextColumn("{task.description}"), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, disable=not visible, transient=True) as bar:
        task = bar.add_task("Exporting", total=None)
        yield ReceivedCount(form, lambda count: bar.update(task, completed=count.bytes, description=_counted(count)))


def _counted(counter: ReceivedCount) -> str:
    size = decimal(counter.bytes)
    return size if counter.events is None else f"{counter.events:,} events, {size}"
