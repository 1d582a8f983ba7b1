"""What a process asks of the kernel, as strace writes it down: which call, when it began and when it ended."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_COMMAND = (
    "strace --daemonize --follow-forks --seccomp-bpf --quiet=attach,personality --signal=none "
    "--strings-in-hex=all --string-limit=1000000000"
)
_TRACED = (
    "open,openat,close,dup,dup2,dup3,lseek,"
    "write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,"
    "truncate,ftruncate,fallocate,copy_file_range,sendfile,splice,"
    "mkdir,mkdirat,rmdir,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,"
    "fsync,fdatasync,sync,syncfs"
)
_LINE = re.compile(r"(?P<thread>\d+) +(?:(?P<begun>\w+)\(|<\.\.\. \w+ resumed>)(?P<rest>.*)")
_RESULT = re.compile(r"\) += (-?\w+|\?)[^=]*$")
_END = "+++ "
_UNFINISHED = " <unfinished ...>"
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


class Untraceable(Exception):  # a fact about the machine
    """Nobody can be traced here."""


class Step(NamedTuple):
    """A call that begins (`result` is None) or ends.

    Attributes:
        thread: who calls; a thread has one call at a time.
        name: of the call.
        arguments: as strace prints them, every text in hexadecimal digits.
        result: what the kernel returned, -1 for every error.
    """

    thread: str
    name: str
    arguments: str
    result: int | None

    @property
    def texts(self) -> list[bytes]:
        """The texts among the arguments: paths, and what is written."""
        found = _TEXT.findall(self.arguments)
        assert not any(cut for _, cut in found), f"strace cut a text of {self.name}"
        return [bytes.fromhex(text.replace("\\x", "")) for text, _ in found]

    @property
    def words(self) -> list[str]:
        """The arguments, split at commas; only for calls without structures."""
        return self.arguments.split(", ")


def check_strace() -> None:
    """Try it.

    Raises:
        Untraceable: strace is missing, or the machine refuses it.
    """
    with TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        try:
            tried = subprocess.run([*traced(trace), "true"], capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise Untraceable("strace is not installed") from error
        if not trace.exists() or _END not in trace.read_text():  # a command that cannot be traced runs all the same
            raise Untraceable(f"strace does not work here: {tried.stderr.strip()}")


def traced(trace: Path) -> list[str]:
    """What goes before a command to have its calls written down; its process stays the child of who starts it."""
    return [*_COMMAND.split(), f"--trace={_TRACED}", f"--output={trace}"]


def limits_traced(trace: Path) -> str:
    """The same for a server, as its `limits`: words of `ulimit` that end in a command of our own."""
    return f'-c 0 && exec {shlex.join(traced(trace))} "$@" #'


def read_steps(trace: Path) -> Iterator[Step]:
    """The steps in the order in which strace saw them, which no thread overtakes: it stands still meanwhile."""
    begun: dict[str, Step] = {}
    line = ""
    with trace.open(encoding="ascii") as lines:
        for line in lines:
            found = _LINE.match(line)
            if found is None:
                continue
            thread, rest = found["thread"], found["rest"]
            ended = _RESULT.search(rest)
            arguments = rest[: ended.start()] if ended else rest.removesuffix(_UNFINISHED)
            if found["begun"]:
                begun[thread] = Step(thread, found["begun"], arguments, None)
                yield begun[thread]
            if ended:
                start = begun.pop(thread)
                whole = start.arguments if found["begun"] else start.arguments + arguments
                yield Step(thread, start.name, whole, -1 if ended[1] == "?" else int(ended[1], 0))
    assert _END in line, f"strace has not ended: {line[:200]}"
