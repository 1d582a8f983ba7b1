"""Reads what PostgreSQL records about the workers."""

from collections.abc import Callable
from functools import partial

from sqlalchemy import Connection, text

from tallyroom.cluster.postgresql.migrate import run_with_connection
from tallyroom.cluster.survey import SELECT_DELAYED_ALERTS, DelayedAlerts, OpenErasure, Survey, SurveyedSpool

_READ_NOW = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
_LIST_SPOOLS = text("""
SELECT identity, spools.host, path, state, kept_by, coalesce(lease_until > clock_timestamp(), false), settings,
    acknowledged, stored, numbers, (extract(epoch FROM seen_at) * 1000)::bigint
FROM spools LEFT JOIN workers ON spool = identity ORDER BY spools.host, path, identity""")
_LIST_ERASURES = text("""
SELECT asked_at_ms, array_agg(spool ORDER BY spool)
FROM shared_erasures JOIN erasure_parts ON erasure_id = id GROUP BY id, asked_at_ms ORDER BY asked_at_ms""")
_LIST_LOSSES = text("SELECT at_ms, what FROM losses ORDER BY id")
_LIST_LACKING_RIGHTS = text("""
SELECT string_agg(DISTINCT action, ', ') FROM pg_tables, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS action
WHERE schemaname = current_schema() AND NOT has_table_privilege(format('%I.%I', schemaname, tablename), action)""")


def read_survey(dsn: str, get_now_ms: Callable[[], int]) -> Survey:
    """Read everything in one snapshot."""
    return run_with_connection(dsn, partial(_read_survey, get_now_ms=get_now_ms))


def _read_survey(connection: Connection, get_now_ms: Callable[[], int]) -> Survey:
    connection = connection.execution_options(isolation_level="REPEATABLE READ")
    started_ms = get_now_ms()
    server_ms = connection.execute(_READ_NOW).scalar_one()
    local_ms = (started_ms + get_now_ms()) // 2
    return Survey(
        server_version=connection.execute(text("SHOW server_version")).scalar_one(),
        write_problem=_find_write_problem(connection),
        now_ms=server_ms,
        clock_ahead_ms=local_ms - server_ms,
        spools=[SurveyedSpool(*row) for row in connection.execute(_LIST_SPOOLS)],
        erasures=[OpenErasure(*row) for row in connection.execute(_LIST_ERASURES)],
        delayed_alerts=DelayedAlerts(*connection.execute(text(SELECT_DELAYED_ALERTS)).one()),
        losses=[(at_ms, loss) for at_ms, loss in connection.execute(_LIST_LOSSES)],
    )


def _find_write_problem(connection: Connection) -> str:
    if connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one():
        return "It is a standby, which accepts no changes."
    lacking_rights = connection.execute(_LIST_LACKING_RIGHTS).scalar_one()
    return f"Its user lacks {lacking_rights} on some of its tables." if lacking_rights else ""
