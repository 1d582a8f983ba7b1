"""The data directories of a host's workers: `workers/0`, `workers/1`, … in the parent's data directory."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from tallyroom.core.data_directory import SPOOL_FILE, WORKERS_FOLDER
from tallyroom.core.load_settings import SettingsError
from tallyroom.core.settings import Settings
from tallyroom.server.workers.messages import Assignment


def needs_parent(settings: Settings) -> bool:
    """Return whether there are or were several workers; raises `SettingsError` for a metrics port without them."""
    is_needed = settings.workers > 1 or (settings.data_dir / WORKERS_FOLDER).is_dir()
    if settings.metrics_port and not is_needed:
        raise SettingsError(
            "TALLYROOM_METRICS_PORT is for several workers (TALLYROOM_WORKERS): a single server has "
            "/metrics at its own address."
        )
    return is_needed


def refuse_unshareable_data(settings: Settings) -> None:
    """Raise `SettingsError` for several workers if the events are not on a server: only one process can hold them."""
    if settings.events_dsn:
        return
    if settings.workers > 1:
        raise SettingsError(
            f"TALLYROOM_WORKERS cannot be {settings.workers}: without TALLYROOM_EVENTS_DSN, the events are in the data "
            "directory, which only one process can use (docs/settings.md#several-workers)."
        )
    raise SettingsError(
        f"{settings.data_dir} has the spools of several workers, whose events are on a server: set "
        "TALLYROOM_EVENTS_DSN to its previous value, or choose another directory with --data."
    )


def build_assignments(
    settings: Settings, lock_descriptor: int, socket_descriptors: Sequence[int], *, accept_loss: bool
) -> list[Assignment]:
    """Return the assignments of serving children, then one without sockets for each remaining spool.

    A child without sockets delivers its spool, and does its part of each erasure (docs/decisions/0028). A server
    without a parent leaves such a spool in the parent's own directory.
    """
    data_dir = settings.data_dir
    assign = partial(Assignment, lock=lock_descriptor, accept_loss=accept_loss)
    serving_children = [
        assign(
            name=str(worker_number),
            settings=_point_settings_at(data_dir / WORKERS_FOLDER / str(worker_number), settings),
            sockets=list(socket_descriptors),
        )
        for worker_number in range(settings.workers)
    ]
    leftover_children = [
        assign(name=folder.name, settings=_point_settings_at(folder, settings))
        for folder in _list_leftover_folders(settings)
    ]
    if (data_dir / SPOOL_FILE).exists():
        leftover_children.append(assign(name="alone", settings=settings, is_locked=True))
    children = serving_children + leftover_children
    folders = [child.settings.data for child in children]
    return [
        msgspec.structs.replace(child, neighbors=[folder for folder in folders if folder != child.settings.data])
        for child in children
    ]


def _point_settings_at(folder: Path, settings: Settings) -> Settings:
    return msgspec.structs.replace(settings, data=str(folder))


def _list_leftover_folders(settings: Settings) -> list[Path]:
    folder = settings.data_dir / WORKERS_FOLDER
    folders = [path for path in folder.iterdir() if path.name.isdecimal()] if folder.is_dir() else []
    return sorted(path for path in folders if int(path.name) >= settings.workers and (path / SPOOL_FILE).exists())
