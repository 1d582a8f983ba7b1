"""Explains why no server starts on a data directory: what is wrong, what is known, and what to do."""

from datetime import datetime
from pathlib import Path

from tallyroom.core.data_directory import DataDirectoryUnusable
from tallyroom.operations.installation.consistency import InstallationProblem, find_problems
from tallyroom.operations.installation.inspection import FoundInstallation, inspect_installation
from tallyroom.operations.installation.last_backup import read_last_backup

_ACCEPTABLE_SUBJECTS = {"spool", "event store", "key"}
_KEY_ADVICE = "Put the file back (every backup has it), or set TALLYROOM_SECRET_KEY to the key that was in it."


class IncompleteInstallation(DataDirectoryUnusable):
    """The data directory is not one complete installation whose parts have the same age."""

    def __init__(self, text: str, advice: str) -> None:
        super().__init__(f"{text} {advice} Nothing was changed.")
        self.text = text  # what is wrong and what is known
        self.advice = advice


def refuse_incomplete(data_dir: Path, *, is_key_given: bool, must_check_damage: bool = True) -> None:
    """Raise `IncompleteInstallation` if the parts of a directory do not belong together; see `inspect_installation`."""
    installation = inspect_installation(data_dir, must_check_damage=must_check_damage)
    if problems := find_problems(installation, is_key_given=is_key_given):
        raise build_refusal(installation, problems)


def is_acceptable(problems: list[InstallationProblem]) -> bool:
    """Return whether a server could continue without the lost parts; it never can without the users."""
    return all(problem.subject in _ACCEPTABLE_SUBJECTS for problem in problems)


def build_refusal(installation: FoundInstallation, problems: list[InstallationProblem]) -> IncompleteInstallation:
    """Return the error for these problems, with advice."""
    problem_text = "; ".join(problem.text for problem in problems)
    return IncompleteInstallation(
        f"{installation.data_dir} is incomplete: {problem_text}.{_describe_counts(installation)}",
        _build_advice(installation.data_dir, problems),
    )


def _describe_counts(installation: FoundInstallation) -> str:
    counts = installation.counts
    clauses = []
    if installation.metadata.is_usable:
        clauses.append(f"the metadata has {_format_count(counts.user_count, 'user')}")
    if installation.spool.is_usable:
        acknowledged = _format_count(counts.acknowledged_count, "event")
        clauses.append(f"the spool has acknowledged {acknowledged}; {counts.queued_count:,} are queued")
    if not (installation.store.absence or installation.store.away_error):
        clauses.append(f"the event store holds {_format_count(counts.event_count, 'event')}")
    sentence = "; ".join(clauses)
    return f" {sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def _build_advice(data_dir: Path, problems: list[InstallationProblem]) -> str:
    is_only_key = all(problem.subject == "key" for problem in problems)
    sentences = [_KEY_ADVICE if is_only_key else _advise_restoring(data_dir)]
    if is_acceptable(problems):
        sentences.append("Without it, start once with --accept-loss: the server continues with what is left.")
    sentences.append("--start-over sets all of it aside, deletes nothing, and starts empty.")
    return " ".join(sentences)


def _advise_restoring(data_dir: Path) -> str:
    last_backup = read_last_backup(data_dir)
    if last_backup is None:
        backup_folder, backup_text = "BACKUP", "a backup (none is recorded here)"
    else:
        created = datetime.fromisoformat(last_backup.created)
        backup_folder, backup_text = last_backup.folder, f"the last backup, of {created:%Y-%m-%d %H:%M} UTC,"
    return (
        "Put the right one back, as it was when the server last stopped, or restore "
        f"{backup_text} into an empty directory with `tallyroom restore {backup_folder} --data DIR`."
    )
