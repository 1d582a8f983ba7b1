"""Decides, for all callers, whether the parts of a data directory belong together (rules/safety#one-installation)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tallyroom.core.data_directory import INSTALLATION_FILE, KEY_FILE
from tallyroom.operations.installation.inspection import FoundInstallation
from tallyroom.operations.installation.parts import FoundPart
from tallyroom.storage.metadata.record import SharedMetadata
from tallyroom.storage.stamp import Stamp

ProblemKind = Literal["lost", "foreign", "older"]


@dataclass(frozen=True)
class InstallationProblem:
    """A problem that keeps a server from starting."""

    subject: Literal["metadata", "spool", "event store", "key", "everything"]
    kind: ProblemKind  # ``lost`` covers what is missing, empty or damaged
    text: str  # what is wrong, as the end of a sentence


def find_problems(installation: FoundInstallation, *, is_key_given: bool) -> list[InstallationProblem]:
    """Return what keeps a server from starting; with `is_key_given`, a setting has the key of stored secrets."""
    return [*_find_part_problems(installation), *_find_key_problems(installation, is_key_given=is_key_given)]


def _find_part_problems(installation: FoundInstallation) -> list[InstallationProblem]:
    absence_problems = [_build_absence_problem(part) for part in installation.parts if part.absence]
    if len(absence_problems) == len(installation.parts):
        return [_build_all_missing_problem(installation)] if installation.trace_names else []
    damaged_parts = [part for part in installation.parts if part.damage]
    if damaged_parts:
        damage_problems = [_build_problem(part, "lost", f"is damaged: {part.damage}") for part in damaged_parts]
        return damage_problems + absence_problems
    if installation.metadata.absence:
        return absence_problems if _other_parts_hold_data(installation) else []
    stamp = installation.metadata.stamp
    if stamp is None or not stamp.epoch:
        return list(_find_problems_without_epoch(installation, stamp))
    if installation.shared_metadata is not None:
        return [
            *_find_stamp_problems(installation, stamp, [installation.store]),
            *_find_registration_problems(installation, stamp, installation.shared_metadata),
        ]
    return list(_find_stamp_problems(installation, stamp, [installation.spool, installation.store]))


def _find_key_problems(installation: FoundInstallation, *, is_key_given: bool) -> Iterator[InstallationProblem]:
    if is_key_given or KEY_FILE in installation.trace_names or not installation.metadata.is_usable:
        return
    if secret_count := installation.counts.secret_count:
        text = f"the key file ({KEY_FILE}) is missing, so {secret_count:,} stored secrets cannot be read"
        yield InstallationProblem("key", "lost", text)


def _build_all_missing_problem(installation: FoundInstallation) -> InstallationProblem:
    names, verb = " and ".join(installation.trace_names), "shows" if len(installation.trace_names) == 1 else "show"
    text = f"metadata, spool and event store are missing, although {names} {verb} that a server has run here"
    return InstallationProblem("everything", "lost", text)


def _other_parts_hold_data(installation: FoundInstallation) -> bool:
    counts = installation.counts
    return bool(installation.spool.stamp or installation.store.stamp or counts.acknowledged_count or counts.event_count)


def _find_problems_without_epoch(installation: FoundInstallation, stamp: Stamp | None) -> Iterator[InstallationProblem]:
    """Check a directory without a completed start of this version: new, from an older version, or interrupted."""
    counts = installation.counts
    begun_stamp = Stamp(stamp.installation, installation.begun_epoch or 0) if stamp else None
    newer_parts = [
        part for part in (installation.spool, installation.store) if part.stamp and part.stamp != begun_stamp
    ]
    if newer_parts and not counts.user_count:
        yield _build_problem(installation.metadata, "lost", "has no users")
        return
    if newer_parts:
        part_names = " and ".join(f"the {part.name}" for part in newer_parts)
        text = f"is older than {part_names}, or belongs to another installation"
        yield _build_problem(installation.metadata, "older", text)
        return
    yield from _find_user_problems(installation)
    if installation.spool.absence and (counts.user_count or counts.event_count):
        yield _build_absence_problem(installation.spool)
    elif counts.event_count and not counts.acknowledged_count:
        yield _build_problem(installation.spool, "lost", "has never acknowledged an event")
    if installation.store.absence and (counts.user_count or counts.acknowledged_count):
        yield _build_absence_problem(installation.store)
    elif counts.expected_count > 0 and not counts.event_count:
        yield _build_problem(installation.store, "lost", "has no events")


def _find_user_problems(installation: FoundInstallation) -> Iterator[InstallationProblem]:
    """Report events without users: the next person to sign up would own all of them."""
    counts = installation.counts
    if not counts.user_count and (counts.acknowledged_count or counts.event_count):
        yield _build_problem(installation.metadata, "lost", "has no users")


def _find_stamp_problems(
    installation: FoundInstallation, stamp: Stamp, parts: Sequence[FoundPart]
) -> Iterator[InstallationProblem]:
    newest_epoch = installation.begun_epoch or stamp.epoch
    part_stamps = [(part, part.stamp) for part in parts if not part.away_error]
    stamps = [part_stamp for _, part_stamp in part_stamps if part_stamp]
    if (
        len(stamps) == len({"spool", "event store"})
        and stamps[0].installation == stamps[1].installation != stamp.installation
    ):
        yield _build_problem(installation.metadata, "foreign", "belongs to a different installation than the rest")
        return
    own_epochs = [part_stamp.epoch for part_stamp in stamps if part_stamp.installation == stamp.installation]
    newer_epochs = [epoch for epoch in own_epochs if epoch > newest_epoch]
    last_epoch = max([stamp.epoch, *newer_epochs])
    if newer_epochs:
        yield _build_older_problem(installation.metadata, stamp.epoch, max(newer_epochs))
    yield from _find_user_problems(installation)
    for part, part_stamp in part_stamps:
        if part.absence:
            yield _build_absence_problem(part)
        elif part_stamp is None:
            yield _build_unstamped_problem(installation, part)
        elif part_stamp.installation != stamp.installation:
            yield _build_problem(part, "foreign", "belongs to a different installation than the metadata")
        elif part_stamp.epoch < last_epoch:
            yield _build_older_problem(part, part_stamp.epoch, last_epoch)


def _find_registration_problems(
    installation: FoundInstallation, stamp: Stamp, shared_metadata: SharedMetadata
) -> Iterator[InstallationProblem]:
    """Check the spool of one worker, which may be new, against the spools in the metadata."""
    spool, counts = installation.spool, installation.counts
    if spool.absence:
        if INSTALLATION_FILE in installation.trace_names or shared_metadata.missing_spool:
            yield _build_absence_problem(spool)
    elif spool.stamp is None:
        if counts.acknowledged_count:
            yield _build_unstamped_problem(installation, spool)
    elif spool.stamp.installation != stamp.installation:
        yield _build_problem(spool, "foreign", "belongs to a different installation than the metadata")
    elif counts.spool_counts is None or (registration := shared_metadata.spools.get(counts.spool_counts.spool)) is None:
        text = "does not list the spool, so it is older or belongs to another installation"
        yield _build_problem(installation.metadata, "older", text)
    elif registration.state != "live":
        yield _build_problem(spool, "older", f"was {registration.state}: other workers have continued without it")
    elif spool.stamp.epoch < registration.epoch or (
        installation.store.away_error and counts.spool_counts.next_seq <= registration.acknowledged_seq
    ):
        text = f"is an older copy: another was last in use on {registration.host} in {registration.path}"
        yield _build_problem(spool, "older", text)
    elif spool.stamp.epoch > (registration.begun_epoch or registration.epoch):
        yield _build_older_problem(installation.metadata, registration.epoch, spool.stamp.epoch)


def _build_unstamped_problem(installation: FoundInstallation, part: FoundPart) -> InstallationProblem:
    counts = installation.counts
    if counts.acknowledged_count if part is installation.spool else counts.event_count:
        return _build_problem(part, "older", "is an older copy, made before this version was first used with the rest")
    return _build_problem(part, "lost", "is empty")


def _build_older_problem(part: FoundPart, epoch: int, newest_epoch: int) -> InstallationProblem:
    text = f"is an older copy: it was last in use in epoch {epoch:,} and the rest in epoch {newest_epoch:,}"
    return _build_problem(part, "older", text)


def _build_absence_problem(part: FoundPart) -> InstallationProblem:
    return _build_problem(part, "lost", part.absence)


def _build_problem(part: FoundPart, kind: ProblemKind, text: str) -> InstallationProblem:
    return InstallationProblem(part.name, kind, f"the {part.name} ({part.location}) {text}")
