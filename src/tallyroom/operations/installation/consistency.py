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
class Problem:
    """A problem that keeps a server from starting.

    Attributes:
        subject: the part concerned, the key of stored secrets, or all three parts at once.
        kind: the kind of problem; ``lost`` covers what is missing, empty or damaged.
        text: what is wrong, as the end of a sentence.
    """

    subject: Literal["metadata", "spool", "event store", "key", "everything"]
    kind: ProblemKind
    text: str


def find_problems(installation: FoundInstallation, *, key_given: bool) -> list[Problem]:
    """Return what is wrong with a data directory; an empty list if a server can start on it, even for the first time.

    Args:
        installation: the state of the directory.
        key_given: whether a setting provides the key of stored secrets, so that no key file is needed.
    """
    return [*_check_parts(installation), *_check_key(installation, key_given=key_given)]


def _check_parts(installation: FoundInstallation) -> list[Problem]:
    if all(part.absence for part in installation.parts):
        return [_report_only_traces(installation)] if installation.traces else []
    if problems := [
        _build_problem(part, "lost", f"is damaged: {part.damage}") for part in installation.parts if part.damage
    ]:
        return [*problems, *(_report_absent(part) for part in installation.parts if part.absence)]
    if installation.metadata.absence:
        return (
            [_report_absent(part) for part in installation.parts if part.absence]
            if _other_parts_hold_data(installation)
            else []
        )
    stamp = installation.metadata.stamp
    if stamp is None or not stamp.epoch:
        return list(_check_without_epoch(installation, stamp))
    if installation.shared_metadata is not None:
        return [
            *_check_stamps(installation, stamp, [installation.store]),
            *_check_registration(installation, stamp, installation.shared_metadata),
        ]
    return list(_check_stamps(installation, stamp, [installation.spool, installation.store]))


def _check_key(installation: FoundInstallation, *, key_given: bool) -> Iterator[Problem]:
    if key_given or KEY_FILE in installation.traces or not installation.metadata.is_usable:
        return
    if secrets := installation.counts.secrets:
        text = f"the key file ({KEY_FILE}) is missing, without which no stored secret can be read ({secrets:,} stored)"
        yield Problem("key", "lost", text)


def _report_only_traces(installation: FoundInstallation) -> Problem:
    evidence = f"{' and '.join(installation.traces)} {'shows' if len(installation.traces) == 1 else 'show'}"
    text = f"metadata, spool and event store are missing, although a server has run here, as {evidence}"
    return Problem("everything", "lost", text)


def _other_parts_hold_data(installation: FoundInstallation) -> bool:
    counts = installation.counts
    return bool(installation.spool.stamp or installation.store.stamp or counts.acknowledged or counts.events)


def _check_without_epoch(installation: FoundInstallation, stamp: Stamp | None) -> Iterator[Problem]:
    """Judge a directory without a completed start of this version: new, from an older version, or interrupted."""
    newer_parts = [
        part
        for part in (installation.spool, installation.store)
        if part.stamp and not _has_begun_stamp(installation, stamp, part)
    ]
    if newer_parts:
        yield _report_older_metadata(installation, newer_parts)
        return
    counts = installation.counts
    yield from _check_users(installation)
    if installation.spool.absence and (counts.users or counts.events):
        yield _report_absent(installation.spool)
    elif counts.events and not counts.acknowledged:
        yield _build_problem(installation.spool, "lost", "has never acknowledged an event")
    if installation.store.absence and (counts.users or counts.acknowledged):
        yield _report_absent(installation.store)
    elif counts.expected > 0 and not counts.events:
        yield _build_problem(installation.store, "lost", "holds no event")


def _check_users(installation: FoundInstallation) -> Iterator[Problem]:
    """Report metadata without users if there are events, which need a user's key; the next to sign up would own all."""
    counts = installation.counts
    if not counts.users and (counts.acknowledged or counts.events):
        yield _build_problem(installation.metadata, "lost", "holds no user")


def _has_begun_stamp(installation: FoundInstallation, stamp: Stamp | None, part: FoundPart) -> bool:
    return stamp is not None and part.stamp == Stamp(stamp.installation, installation.begun_epoch or 0)


def _report_older_metadata(installation: FoundInstallation, newer_parts: list[FoundPart]) -> Problem:
    """Report metadata that has not seen the starts that other parts have seen."""
    if not installation.counts.users:
        return _build_problem(installation.metadata, "lost", "holds no user")
    part_names = " and ".join(f"the {part.name}" for part in newer_parts)
    return _build_problem(installation.metadata, "older", f"is older than {part_names}, or of another installation")


def _check_stamps(installation: FoundInstallation, stamp: Stamp, parts: Sequence[FoundPart]) -> Iterator[Problem]:
    newest_epoch = installation.begun_epoch or stamp.epoch
    part_stamps = [(part, part.stamp) for part in parts if not part.away_error]
    stamps = [part_stamp for _, part_stamp in part_stamps if part_stamp]
    if (
        len(stamps) == len({"spool", "event store"})
        and stamps[0].installation == stamps[1].installation != stamp.installation
    ):
        yield _build_problem(installation.metadata, "foreign", "belongs to another installation than the rest")
        return
    newer_epochs = [
        part_stamp.epoch
        for part_stamp in stamps
        if part_stamp.installation == stamp.installation and part_stamp.epoch > newest_epoch
    ]
    if newer_epochs:
        yield _report_older(installation.metadata, stamp.epoch, max(newer_epochs))
    yield from _check_users(installation)
    for part, part_stamp in part_stamps:
        if part.absence:
            yield _report_absent(part)
        elif part_stamp is None:
            yield _report_unstamped(installation, part)
        elif part_stamp.installation != stamp.installation:
            yield _build_problem(part, "foreign", "belongs to another installation than the metadata")
        elif part_stamp.epoch < max([stamp.epoch, *newer_epochs]):
            yield _report_older(part, part_stamp.epoch, max([stamp.epoch, *newer_epochs]))


def _check_registration(
    installation: FoundInstallation, stamp: Stamp, shared_metadata: SharedMetadata
) -> Iterator[Problem]:
    """Judge the spool of one worker, which may be new, by what the metadata knows of all spools."""
    spool, counts = installation.spool, installation.counts
    if spool.absence:
        if INSTALLATION_FILE in installation.traces or shared_metadata.missing_spool:
            yield _report_absent(spool)
    elif spool.stamp is None:
        if counts.acknowledged:
            yield _report_unstamped(installation, spool)
    elif spool.stamp.installation != stamp.installation:
        yield _build_problem(spool, "foreign", "belongs to another installation than the metadata")
    elif counts.numbers is None or (registration := shared_metadata.spools.get(counts.numbers.spool)) is None:
        yield _build_problem(
            installation.metadata, "older", "knows nothing of the spool, so it is older or of another installation"
        )
    elif registration.state != "live":
        yield _build_problem(spool, "older", f"was {registration.state}: others have gone on without it")
    elif spool.stamp.epoch < registration.epoch or (
        installation.store.away_error and counts.numbers.next_seq <= registration.acknowledged_seq
    ):
        yield _build_problem(
            spool, "older", f"is an older copy: another was last in use on {registration.host} in {registration.path}"
        )
    elif spool.stamp.epoch > (registration.begun_epoch or registration.epoch):
        yield _report_older(installation.metadata, registration.epoch, spool.stamp.epoch)


def _report_unstamped(installation: FoundInstallation, part: FoundPart) -> Problem:
    counts = installation.counts
    if counts.acknowledged if part is installation.spool else counts.events:
        return _build_problem(part, "older", "is a copy from before the rest was first started by this version")
    return _build_problem(part, "lost", "holds nothing")


def _report_older(part: FoundPart, epoch: int, newest: int) -> Problem:
    return _build_problem(
        part, "older", f"is an older copy: it was last in use in epoch {epoch:,} and the rest in {newest:,}"
    )


def _report_absent(part: FoundPart) -> Problem:
    return _build_problem(part, "lost", part.absence)


def _build_problem(part: FoundPart, kind: ProblemKind, text: str) -> Problem:
    return Problem(part.name, kind, f"the {part.name} ({part.location}) {text}")
