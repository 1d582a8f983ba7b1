"""Decides, for all callers, whether the parts of a data directory belong together (rules/safety#one-installation)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tallyroom.core.data_directory import INSTALLATION_FILE, KEY_FILE
from tallyroom.operations.installation.inspection import FoundInstallation
from tallyroom.operations.installation.parts import FoundPart
from tallyroom.storage.metadata.record import SharedMetadata
from tallyroom.storage.stamp import Stamp

Kind = Literal["lost", "foreign", "older"]


@dataclass(frozen=True)
class Problem:
    """A problem that keeps a server from starting.

    Attributes:
        of: the part concerned, the key of stored secrets, or all three parts at once.
        kind: the kind of problem; ``lost`` covers what is missing, empty or damaged.
        text: what is wrong, as the end of a sentence.
    """

    of: Literal["metadata", "spool", "event store", "key", "everything"]
    kind: Kind
    text: str


def find_problems(installation: FoundInstallation, *, key_given: bool) -> list[Problem]:
    """Return what is wrong with a data directory; an empty list if a server can start on it, even for the first time.

    Args:
        installation: the state of the directory.
        key_given: whether a setting provides the key of stored secrets, so that no key file is needed.
    """
    return [*_problems_of_parts(installation), *_problems_of_key(installation, key_given=key_given)]


def _problems_of_parts(installation: FoundInstallation) -> list[Problem]:
    if all(part.absent for part in installation.parts):
        return [_traces_alone(installation)] if installation.traces else []
    if problems := [_problem(part, "lost", f"is damaged: {part.damage}") for part in installation.parts if part.damage]:
        return [*problems, *(_absence(part) for part in installation.parts if part.absent)]
    if installation.metadata.absent:
        return (
            [_absence(part) for part in installation.parts if part.absent]
            if _others_hold_something(installation)
            else []
        )
    stamp = installation.metadata.stamp
    if stamp is None or not stamp.epoch:
        return list(_before_the_first_epoch(installation, stamp))
    if installation.shared_metadata is not None:
        return [
            *_by_stamp(installation, stamp, [installation.store]),
            *_by_registration(installation, stamp, installation.shared_metadata),
        ]
    return list(_by_stamp(installation, stamp, [installation.spool, installation.store]))


def _problems_of_key(installation: FoundInstallation, *, key_given: bool) -> Iterator[Problem]:
    if key_given or KEY_FILE in installation.traces or not installation.metadata.usable:
        return
    if secrets := installation.counts.secrets:
        text = f"the key file ({KEY_FILE}) is missing, without which no stored secret can be read ({secrets:,} stored)"
        yield Problem("key", "lost", text)


def _traces_alone(installation: FoundInstallation) -> Problem:
    show = f"{' and '.join(installation.traces)} {'shows' if len(installation.traces) == 1 else 'show'}"
    text = f"metadata, spool and event store are missing, although a server has run here, as {show}"
    return Problem("everything", "lost", text)


def _others_hold_something(installation: FoundInstallation) -> bool:
    counts = installation.counts
    return bool(installation.spool.stamp or installation.store.stamp or counts.acknowledged or counts.events)


def _before_the_first_epoch(installation: FoundInstallation, stamp: Stamp | None) -> Iterator[Problem]:
    """Judge a directory without a completed start of this version: new, from an older version, or interrupted."""
    strangers = [
        part
        for part in (installation.spool, installation.store)
        if part.stamp and not _just_begun(installation, stamp, part)
    ]
    if strangers:
        yield _unlike_the_metadata(installation, strangers)
        return
    counts = installation.counts
    yield from _without_users(installation)
    if installation.spool.absent and (counts.users or counts.events):
        yield _absence(installation.spool)
    elif counts.events and not counts.acknowledged:
        yield _problem(installation.spool, "lost", "has never acknowledged an event")
    if installation.store.absent and (counts.users or counts.acknowledged):
        yield _absence(installation.store)
    elif counts.expected > 0 and not counts.events:
        yield _problem(installation.store, "lost", "holds no event")


def _without_users(installation: FoundInstallation) -> Iterator[Problem]:
    """Report metadata without users if there are events, which need a user's key; the next to sign up would own all."""
    counts = installation.counts
    if not counts.users and (counts.acknowledged or counts.events):
        yield _problem(installation.metadata, "lost", "holds no user")


def _just_begun(installation: FoundInstallation, stamp: Stamp | None, part: FoundPart) -> bool:
    return stamp is not None and part.stamp == Stamp(stamp.installation, installation.begun_epoch or 0)


def _unlike_the_metadata(installation: FoundInstallation, strangers: list[FoundPart]) -> Problem:
    """Report metadata that has not seen the starts that other parts have seen."""
    if not installation.counts.users:
        return _problem(installation.metadata, "lost", "holds no user")
    of = " and ".join(f"the {part.name}" for part in strangers)
    return _problem(installation.metadata, "older", f"is older than {of}, or of another installation")


def _by_stamp(installation: FoundInstallation, stamp: Stamp, parts: Sequence[FoundPart]) -> Iterator[Problem]:
    newest = installation.begun_epoch or stamp.epoch
    part_stamps = [(part, part.stamp) for part in parts if not part.away]
    stamps = [other for _, other in part_stamps if other]
    if (
        len(stamps) == len({"spool", "event store"})
        and stamps[0].installation == stamps[1].installation != stamp.installation
    ):
        yield _problem(installation.metadata, "foreign", "belongs to another installation than the rest")
        return
    ahead = [other.epoch for other in stamps if other.installation == stamp.installation and other.epoch > newest]
    if ahead:
        yield _older(installation.metadata, stamp.epoch, max(ahead))
    yield from _without_users(installation)
    for part, other in part_stamps:
        if part.absent:
            yield _absence(part)
        elif other is None:
            yield _unstamped(installation, part)
        elif other.installation != stamp.installation:
            yield _problem(part, "foreign", "belongs to another installation than the metadata")
        elif other.epoch < max([stamp.epoch, *ahead]):
            yield _older(part, other.epoch, max([stamp.epoch, *ahead]))


def _by_registration(
    installation: FoundInstallation, stamp: Stamp, shared_metadata: SharedMetadata
) -> Iterator[Problem]:
    """Judge the spool of one worker, which may be new, by what the metadata knows of all spools."""
    spool, counts = installation.spool, installation.counts
    if spool.absent:
        if INSTALLATION_FILE in installation.traces or shared_metadata.missing_here:
            yield _absence(spool)
    elif spool.stamp is None:
        if counts.acknowledged:
            yield _unstamped(installation, spool)
    elif spool.stamp.installation != stamp.installation:
        yield _problem(spool, "foreign", "belongs to another installation than the metadata")
    elif counts.numbers is None or (registration := shared_metadata.spools.get(counts.numbers.spool)) is None:
        yield _problem(
            installation.metadata, "older", "knows nothing of the spool, so it is older or of another installation"
        )
    elif registration.state != "live":
        yield _problem(spool, "older", f"was {registration.state}: others have gone on without it")
    elif spool.stamp.epoch < registration.epoch or (
        installation.store.away and counts.numbers.next_seq <= registration.acknowledged_seq
    ):
        yield _problem(
            spool, "older", f"is an older copy: another was last in use on {registration.host} in {registration.path}"
        )
    elif spool.stamp.epoch > (registration.begun_epoch or registration.epoch):
        yield _older(installation.metadata, registration.epoch, spool.stamp.epoch)


def _unstamped(installation: FoundInstallation, part: FoundPart) -> Problem:
    counts = installation.counts
    if counts.acknowledged if part is installation.spool else counts.events:
        return _problem(part, "older", "is a copy from before the rest was first started by this version")
    return _problem(part, "lost", "holds nothing")


def _older(part: FoundPart, epoch: int, newest: int) -> Problem:
    return _problem(
        part, "older", f"is an older copy: it was last in use in epoch {epoch:,} and the rest in {newest:,}"
    )


def _absence(part: FoundPart) -> Problem:
    return _problem(part, "lost", part.absent)


def _problem(part: FoundPart, kind: Kind, text: str) -> Problem:
    return Problem(part.name, kind, f"the {part.name} ({part.where}) {text}")
