"""The target of an export: a file that appears only once it is complete, or standard output."""

import gzip
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from tallyroom.core.errors import TallyroomError

STANDARD_OUTPUT: Final = Path("-")
_GZIP_SUFFIX: Final = ".gz"
_GZIP_LEVEL: Final = 1


class TargetUnusable(TallyroomError):
    """The file cannot be written."""


@contextmanager
def open_target(path: Path) -> Iterator[BinaryIO]:
    """Provide a file to write, which appears under `path` when the block ends, or not at all if the block raises.

    Content is compressed if the name ends in ``.gz``. `STANDARD_OUTPUT` receives data as it is written. Raises
    `TargetUnusable` if the file cannot be written, or the disk is full.
    """
    try:
        if path.is_dir():
            raise TargetUnusable(f"{path} is a directory; pass a file in it.")
        with _open_output(path) as file:
            if strip_gzip_suffix(path) == path:
                yield file
            else:
                with gzip.GzipFile("", "wb", _GZIP_LEVEL, file) as gzip_file:
                    yield cast("BinaryIO", gzip_file)
    except OSError as error:
        raise TargetUnusable(f"{path} cannot be written: {error.strerror or error}.") from error


def strip_gzip_suffix(path: Path) -> Path:
    """Return `path` without the suffix of a compressed file."""
    return path.with_suffix("") if path.suffix.lower() == _GZIP_SUFFIX else path


def _open_output(path: Path) -> AbstractContextManager[BinaryIO]:
    if path == STANDARD_OUTPUT:
        return _open_standard_output()
    if path.exists() and not path.is_file():  # a device or a pipe is written in place
        return path.open("wb")
    return _replace_file(path.resolve())


@contextmanager
def _open_standard_output() -> Iterator[BinaryIO]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError as error:
        # The interpreter flushes once more at exit, and must not raise the same error again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise TargetUnusable("The program that reads the output has exited.") from error


@contextmanager
def _replace_file(path: Path) -> Iterator[BinaryIO]:
    """Provide a file next to `path` that is renamed to `path` at the end, or deleted if the block raises."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False) as file:
        try:
            yield cast("BinaryIO", file)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
