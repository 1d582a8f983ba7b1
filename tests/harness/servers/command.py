"""The command `tallyroom`: in a process of its own, or in this one, which spares loading it."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from harness.servers.child import WITH_HARNESS
from harness.servers.server import BIG_DISK_RESERVE
from harness.stores.metadata import servers_beside
from harness.suite.patience import PATIENCE
from tallyroom.cli.main import main

Done = subprocess.CompletedProcess[str]


def tallyroom(
    *arguments: str | Path,
    inside: Sequence[str] = (),
    limits: str = "",
    given: str = "",
    servers: Mapping[str, str] = {},
    patience: float = PATIENCE,
    **settings: str,
) -> Done:
    """Run one subcommand to its end.

    Args:
        arguments: the words after `tallyroom`.
        inside: a command that enters a namespace.
        limits: resource limits, as shell words for `ulimit`.
        given: what stands on standard input.
        servers: settings that name servers, of which it takes all or none from its environment.
        patience: how many seconds it may take.
        settings: environment variables without the prefix.
    """
    command, environment = _command(arguments, settings)
    servers = {**servers_beside(arguments), **servers}
    if servers:
        command[2:3] = ["harness.servers.serve", json.dumps(servers)]
        environment |= WITH_HARNESS
    if limits:
        command = ["bash", "-c", f'ulimit {limits} && exec "$@"', "tallyroom", *command]
    return subprocess.run(
        [*inside, *command], env=environment, input=given, capture_output=True, text=True, timeout=patience, check=False
    )


def call_bytes(*arguments: str | Path, given: bytes = b"", **settings: str) -> "subprocess.CompletedProcess[bytes]":
    """Run one subcommand to its end in this process; arguments as for `tallyroom`, the output as bytes.

    Not for what opens the event engine: a process can hold one. `backup` makes its process nice; not this one.
    """
    command, environment = _command(arguments, settings)
    said, complained = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    on_stop = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(), _pipe_of(given) as given_to:
        warnings.filterwarnings("ignore", "Cyclopts application invoked without tokens")  # it suspects a test's own
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(os, "nice", lambda _: 0)
        patch.setattr(sys, "argv", ["tallyroom", *command[3:]])
        for name, stream in (("stdin", given_to), ("stdout", said), ("stderr", complained)):
            patch.setattr(sys, name, stream)
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            signal.signal(signal.SIGTERM, on_stop)  # some commands take it for the rest of their process
    return subprocess.CompletedProcess(command, code, _written(said), _written(complained))


def call(*arguments: str | Path, given: str = "", **settings: str) -> Done:
    """`call_bytes` with text; in a process of its own if the data is on servers, which this one does not take."""
    if servers_beside(arguments):
        return tallyroom(*arguments, given=given, **settings)  # type: ignore[arg-type] # none is called `servers`
    done = call_bytes(*arguments, given=given.encode(), **settings)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def launch_tallyroom(*arguments: str | Path, inside: Sequence[str] = (), **settings: str) -> "subprocess.Popen[str]":
    """Begin one subcommand; arguments as for `tallyroom`."""
    command, environment = _command(arguments, settings)
    command = [*inside, *command]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def refusal(done: Done) -> str:
    """The sentence with which a command refused."""
    assert done.returncode == 1, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("tallyroom: "), done.stderr
    return done.stderr.removeprefix("tallyroom: ").strip()


def _command(arguments: Sequence[str | Path], settings: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {"TALLYROOM_DISK_RESERVE_BYTES": BIG_DISK_RESERVE}
    environment |= {f"TALLYROOM_{name.upper()}": value for name, value in settings.items()}
    return [sys.executable, "-m", "tallyroom", *map(str, arguments)], environment


@contextmanager
def _pipe_of(content: bytes) -> Iterator[io.TextIOWrapper]:
    """The end of a real pipe, as standard input is one."""
    reading, writing = os.pipe()

    def write() -> None:
        with suppress(BrokenPipeError), open(writing, "wb", buffering=0) as end:  # noqa: PTH123 # a descriptor
            end.write(content)

    writer = threading.Thread(target=write)
    writer.start()
    with open(reading, encoding="utf-8") as end:  # noqa: PTH123 # a descriptor
        yield end
    writer.join()


def _written(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    return bytes(stream.buffer.getvalue())  # type: ignore[attr-defined] # it was made with one
