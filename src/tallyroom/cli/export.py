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
    DownloadCounter,
    ExportFormat,
    ExportRequest,
    ExportStopped,
    download,
    open_server_client,
    open_session,
)
from tallyroom.import_export.target import STANDARD_OUTPUT, open_target, strip_gzip_suffix

_FORMAT_BY_SUFFIX: Final[dict[str, ExportFormat]] = {
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "ndjson",
    ".csv": "csv",
    ".parquet": "parquet",
}
_OUTPUT_PARAMETER: Final = Parameter(
    name=["--output", "-o"], allow_leading_hyphen=True, help="Output file, optionally .gz; - is standard output."
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
            help="Session or personal access token; without one, the command asks for your email address and password.",
        ),
    ] = ""


@dataclass(frozen=True)
class EventOptions:
    """Which events to export."""

    environment: Annotated[str | None, Parameter(help="Environment of the events; production by default.")] = None
    from_: Annotated[str | None, Parameter(name="--from", help="Start, such as 2026-11-01 or 2026-11-01T09:30Z.")] = (
        None
    )
    to: Annotated[str | None, Parameter(name="--to", help="End, exclusive.")] = None
    file_format: Annotated[
        ExportFormat | None, Parameter(name="--format", help="File format, if the suffix does not show it.")
    ] = None


def export(
    *,
    output: Annotated[Path, _OUTPUT_PARAMETER],
    options: Annotated[EventOptions, Parameter(name="*")] = EventOptions(),  # frozen
    server_options: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # frozen
) -> None:
    """Write the events of a running server to a file: NDJSON, CSV or Parquet.

    The file appears only when it is complete. docs/howto/export.md has examples.
    """
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    request = ExportRequest(
        options.file_format or _detect_format(output), options.environment, options.from_, options.to
    )
    with _stop_on_signal(), open_server_client(server_options.url) as client, ExitStack() as stack:
        token = server_options.token.strip() or stack.enter_context(_ask_for_session(client))
        file = stack.enter_context(open_target(output))
        counter = stack.enter_context(_show_progress(request.file_format, output, console))
        for chunk in download(client, token, request, console.print):
            file.write(chunk)
            counter.add_chunk(chunk)
    console.print(f"{'Exported' if output == STANDARD_OUTPUT else output}: {_format_received(counter)}.")


def _detect_format(output: Path) -> ExportFormat:
    return _FORMAT_BY_SUFFIX.get(strip_gzip_suffix(output).suffix.lower(), "ndjson")


@contextmanager
def _stop_on_signal() -> Iterator[None]:
    """Turn a signal to stop into a sentence, after everything is tidied up."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        raise ExportStopped("Interrupted. The export is not complete.") from None


@contextmanager
def _ask_for_session(client: httpx.Client) -> Iterator[str]:
    """Ask for address and password, and yield the token of a session that exists only for this export."""
    if not sys.stdin.isatty():
        raise ExportStopped("No token: set TALLYROOM_TOKEN, or pass --token.")
    sys.stderr.write("Email: ")
    sys.stderr.flush()
    with open_session(client, sys.stdin.readline().strip(), getpass("Password: ")) as token:
        yield token


@contextmanager
def _show_progress(file_format: ExportFormat, output: Path, console: Console) -> Iterator[DownloadCounter]:
    """Count what arrives, and show the count if standard error is a terminal and the file goes elsewhere."""
    is_visible = console.is_terminal and not (output == STANDARD_OUTPUT and sys.stdout.isatty())
    columns = (SpinnerColumn(), TextColumn("{task.description}"), DownloadColumn(), TransferSpeedColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=console, disable=not is_visible, transient=True
    ) as progress_bar:
        task_id = progress_bar.add_task("Exporting", total=None)
        yield DownloadCounter(
            file_format,
            lambda counter: progress_bar.update(
                task_id, completed=counter.byte_count, description=_format_received(counter)
            ),
        )


def _format_received(counter: DownloadCounter) -> str:
    size_text = decimal(counter.byte_count)
    return size_text if counter.event_count is None else f"{counter.event_count:,} events, {size_text}"
