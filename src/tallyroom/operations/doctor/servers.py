"""The doctor's checks of the servers that several workers share."""

from collections.abc import Generator, Iterator

from tallyroom.cluster.open_limits import probe_limits
from tallyroom.cluster.open_metadata import check_metadata, read_survey
from tallyroom.cluster.survey import Survey
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.core.version import VERSION
from tallyroom.operations.doctor.data_checks import check_property_columns
from tallyroom.operations.doctor.findings import Finding, report_broken, report_ok, report_warning
from tallyroom.storage.event_store.backend.opening import open_backend
from tallyroom.storage.event_store.clones import list_clones
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.migrate import newest_version, read_version
from tallyroom.storage.event_store.part_check import read_engine_version
from tallyroom.storage.event_store.property_columns.catalog import read_column_state
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.migrate import newest_revision

REPAIR_ADVICE = "Until this is repaired, the events cannot be counted."

_WARN_SKEW_MS = 1_000


def examine_metadata(settings: Settings, clock: Clock) -> Generator[Finding, None, Survey | None]:
    """Examine the metadata server and this host's clock; return the survey, None if it cannot be read."""
    try:
        check_metadata(settings.data_dir / DATABASE_FILE, settings.db_dsn)
        survey = read_survey(settings.db_dsn, clock.now_ms)
    except TallyroomError as error:
        yield report_broken("metadata", f"{error}\n".splitlines()[0], "Check the server, and TALLYROOM_DB_DSN.")
        return None
    if survey.write_problem:
        text = f"PostgreSQL {survey.server_version}: {survey.write_problem}"
        yield report_broken("metadata", text, "Workers cannot use it.")
    else:
        yield report_ok("metadata", f"PostgreSQL {survey.server_version}, schema {newest_revision()}")
    skew_ms = abs(survey.clock_ahead_ms)
    direction = "ahead of" if survey.clock_ahead_ms > 0 else "behind"
    text = f"This host's clock is {skew_ms / 1000:.1f} s {direction} PostgreSQL's."
    if skew_ms > MAX_CLOCK_SKEW_MS:
        yield report_broken(
            "clock", text, "Synchronize the clocks with NTP. Until then, workers on this host are not ready."
        )
    elif skew_ms > _WARN_SKEW_MS:
        yield report_warning("clock", text, "Synchronize the clocks with NTP: they set the times of events.")
    else:
        yield report_ok("clock", "matches PostgreSQL's")
    return survey


def examine_limits(dsn: str) -> Iterator[Finding]:
    """Examine the limits server, whose loss is no loss of data."""
    if not dsn:
        yield report_warning("limits", "TALLYROOM_LIMITS_DSN is not set here.", "Set it to the workers' value.")
        return
    try:
        limits = probe_limits(dsn)
    except TallyroomError as error:
        advice = "Until it answers, each worker applies its share of the limits."
        yield report_warning("limits", f"{error}\n".splitlines()[0], advice)
        return
    if limits.eviction_policy not in {"", "noeviction"}:
        text = f"{limits.version} evicts keys when its memory is full (maxmemory-policy {limits.eviction_policy})."
        yield report_warning(
            "limits", text, "Set maxmemory-policy to noeviction, so that limits are not lost silently."
        )
    else:
        yield report_ok("limits", limits.version)


def examine_store(settings: Settings) -> Generator[Finding, None, Writer | None]:
    """Examine the event server, its users and their rights; return the open store, None if it cannot be used."""
    try:
        writer = Writer(open_backend(settings))
        engine_version, schema_version = read_engine_version(writer), read_version(writer)
        clone_names = list_clones(writer)
    except (TallyroomError, StoreError) as error:
        yield report_broken("store", f"{error}\n".splitlines()[0], REPAIR_ADVICE)
        return None
    version_text = f"Tallyroom {VERSION}, ClickHouse {engine_version}, event store schema {schema_version}"
    if schema_version != newest_version():
        advice = f"The next worker to start upgrades the store to {newest_version()}."
        yield report_warning("versions", version_text, advice)
    else:
        yield report_ok("versions", version_text)
    if clone_names:
        text = f"The event store has tables of a backup that is running or was killed: {len(clone_names):,}."
        yield report_warning("backup", text, "Erased data stays in them until the next backup drops them.")
    yield from examine_property_columns(writer)
    return writer


def examine_property_columns(writer: Writer) -> Iterator[Finding]:
    """Report the property columns, or that the user of the event server may not see them."""
    try:
        columns = read_column_state(writer)
    except StoreError as error:
        if not error.is_forbidden:
            yield report_broken("store", f"{error}\n".splitlines()[0], REPAIR_ADVICE)
            return
        text = "The writing user of the event store lacks the right to see property columns: queries take longer."
        advice = "GRANT SELECT ON system.parts_columns to it."
        yield report_warning("property columns", text, advice)
        return
    yield from check_property_columns(columns.describe_columns(), columns.unfilled_month_count)
