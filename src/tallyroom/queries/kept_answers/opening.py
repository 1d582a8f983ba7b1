"""Opens the kept answers of a process, and says what makes all of them useless."""

from tallyroom.core.settings import Settings
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.removals import Removals

_MEGABYTE = 1_000_000


def open_kept_answers(settings: Settings, reader: EventReader, removals: Removals) -> KeptAnswers:
    """Return kept answers that end when events are removed, shown again or lost.

    Anything else that changes how stored events are read must change this version as well.
    """
    return KeptAnswers(
        reader,
        settings.kept_answers_mb * _MEGABYTE,
        lambda: (removals.local_version(), reader.damages.change_count),
    )
