"""Decides, for all callers, whether the parts of a data directory belong together (rules/safety#one-installation)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tallyroom.core.data_directory import INSTALLATION_FILE, KEY_FILE
from tallyroom.operations.installation.found import FoundInstallation
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


def find_problems(found: FoundInstallation, *, key_given: bool) -> list[Problem]:
    """Return what is wrong with a data directory; an empty list if a server can start on it, even for the first time.

    Args:
        found: the state of the directory.
        key_given: whether a setting provides the key of stored secrets, so that no key file is needed.
    """
    return [*_problems_of_parts(found), *_problems_of_key(found, key_given=key_given)]


def _problems_of_parts(found: FoundInstallation) -> list[Problem]:
    if all(part.absent for part in found.parts):
        return [_traces_alone(found)] if found.traces else []
    if broken := [_problem(part, "lost", f"is damaged: {part.damage}") for part in found.parts if part.damage]:
        return [*broken, *(_absence(part) for part in found.parts if part.absent)]
    if found.metadata.absent:
        return [_absence(part) for part in found.parts if part.absent] if _others_hold_something(found) else []
    stamp = found.metadata.stamp
    if stamp is None or not stamp.epoch:
        return list(_before_the_first_epoch(found, stamp))
    if found.shared is not None:
        return [*_by_stamp(found, stamp, [found.store]), *_by_registration(found, stamp, found.shared)]
    return list(_by_stamp(found, stamp, [found.spool, found.store]))


def _problems_of_key(found: FoundInstallation, *, key_given: bool) -> Iterator[Problem]:
    if key_given or KEY_FILE in found.traces or not found.metadata.usable:
        return
    if secrets := found.counts.secrets:
        text = f"the key file ({KEY_FILE}) is missing, without which no stored secret can be read ({secrets:,} stored)"
        yield Problem("key", "lost", text)


def _traces_alone(found: FoundInstallation) -> Problem:
    show = f"{' and '.join(found.traces)} {'shows' if len(found.traces) == 1 else 'show'}"
    text = f"metadata, spool and event store are missing, although a server has run here, as {show}"
    return Problem("everything", "lost", text)


def _others_hold_something(found: FoundInstallation) -> bool:
    counts = found.counts
    return bool(found.spool.stamp or found.store.stamp or counts.acknowledged or counts.events)


def _before_the_first_epoch(found: FoundInstallation, stamp: Stamp | None) -> Iterator[Problem]:
    """Judge a directory without a completed start of this version: new, from an older version, or interrupted."""
    strangers = [part for part in (found.spool, found.store) if part.stamp and not _just_begun(found, stamp, part)]
    if strangers:
        yield _unlike_the_metadata(found, strangers)
        return
    counts = found.counts
    yield from _without_users(found)
    if found.spool.absent and (counts.users or counts.events):
        yield _absence(found.spool)
    elif counts.events and not counts.acknowledged:
        yield _problem(found.spool, "lost", "has never acknowledged an event")
    if found.store.absent and (counts.users or counts.acknowledged):
        yield _absence(found.store)
    elif counts.expected > 0 and not counts.events:
        yield _problem(found.store, "lost", "holds no event")


def _without_users(found: FoundInstallation) -> Iterator[Problem]:
    """Report metadata without users if there are events, which need a user's key; the next to sign up would own all."""
    counts = found.counts
    if not counts.users and (counts.acknowledged or counts.events):
        yield _problem(found.metadata, "lost", "holds no user")


def _just_begun(found: FoundInstallation, stamp: Stamp | None, part: FoundPart) -> bool:
    return stamp is not None and part.stamp == Stamp(stamp.installation, found.begun or 0)


def _unlike_the_metadata(found: FoundInstallation, strangers: list[FoundPart]) -> Problem:
    """Report metadata that has not seen the starts that other parts have seen."""
    if not found.counts.users:
        return _problem(found.metadata, "lost", "holds no user")
    of = " and ".join(f"the {part.name}" for part in strangers)
    return _problem(found.metadata, "older", f"is older than {of}, or of another installation")


def _by_stamp(found: FoundInstallation, stamp: Stamp, parts: Sequence[FoundPart]) -> Iterator[Problem]:
    newest = found.begun or stamp.epoch
    others = [(part, part.stamp) for part in parts if not part.away]
    stamps = [other for _, other in others if other]
    if (
        len(stamps) == len({"spool", "event store"})
        and stamps[0].installation == stamps[1].installation != stamp.installation
    ):
        yield _problem(found.metadata, "foreign", "belongs to another installation than the rest")
        return
    ahead = [other.epoch for other in stamps if other.installation == stamp.installation and other.epoch > newest]
    if ahead:
        yield _older(found.metadata, stamp.epoch, max(ahead))
    yield from _without_users(found)
    for part, other in others:
        if part.absent:
            yield _absence(part)
        elif other is None:
            yield _unstamped(found, part)
        elif other.installation != stamp.installation:
            yield _problem(part, "foreign", "belongs to another installation than the metadata")
        elif other.epoch < max([stamp.epoch, *ahead]):
            yield _older(part, other.epoch, max([stamp.epoch, *ahead]))


def _by_registration(found: FoundInstallation, stamp: Stamp, shared: SharedMetadata) -> Iterator[Problem]:
    """Judge the spool of one worker, which may be new, by what the metadata knows of all spools."""
    spool, counts = found.spool, found.counts
    if spool.absent:
        if INSTALLATION_FILE in found.traces or shared.missing_here:
            yield _absence(spool)
    elif spool.stamp is None:
        if counts.acknowledged:
            yield _unstamped(found, spool)
    elif spool.stamp.installation != stamp.installation:
        yield _problem(spool, "foreign", "belongs to another installation than the metadata")
    elif counts.numbers is None or (known := shared.spools.get(counts.numbers.spool)) is None:
        yield _problem(found.metadata, "older", "knows nothing of the spool, so it is older or of another installation")
    elif known.state != "live":
        yield _problem(spool, "older", f"was {known.state}: others have gone on without it")
    elif spool.stamp.epoch < known.epoch or (found.store.away and counts.numbers.next_seq <= known.acknowledged):
        yield _problem(spool, "older", f"is an older copy: another was last in use on {known.host} in {known.path}")
    elif spool.stamp.epoch > (known.begun or known.epoch):
        yield _older(found.metadata, known.epoch, spool.stamp.epoch)


def _unstamped(found: FoundInstallation, part: FoundPart) -> Problem:
    counts = found.counts
    if counts.acknowledged if part is found.spool else counts.events:
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
