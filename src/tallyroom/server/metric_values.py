"""The values of `GET /metrics`, and where each comes from."""

from socket import gethostname
from typing import Any

from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.version import running_version
from tallyroom.digests.mailer import DigestMailer
from tallyroom.server.scheduler.handler import JobHandler
from tallyroom.server.services import Services
from tallyroom.server.system.metrics import Metrics


def build_metrics(
    services: Services, alert_dependencies: dict[str, Any], digest_mailer: DigestMailer, jobs: JobHandler
) -> Metrics:
    """Return the source of `GET /metrics`; `alert_dependencies` are by dependency name."""
    spool, drain, disk, reader = services.spool, services.drain, services.disk, services.reader
    damages, limits, cancellations = services.completeness_check.damages, services.limits, reader.cancellations
    kept_rows, peers = services.kept_answers.cache, services.database.peers
    clock = SharedClock(services.clock, peers)
    alert_evaluator, senders = alert_dependencies["alert_evaluator"], alert_dependencies["delivery_handlers"]
    return Metrics(
        counters=[
            ("events_acked", "Events that were acknowledged as durable.", lambda: spool.acked_count),
            ("events_stored", "Events that reached the event store since the start.", lambda: drain.drained_count),
            ("events_dead_lettered", "Events put aside since the start.", lambda: drain.dead_letter_count),
            ("alerts_evaluated", "Evaluations of alerts since the start.", lambda: alert_evaluator.evaluated_count),
            ("alerts_failed", "Evaluations of alerts that failed.", lambda: alert_evaluator.failed_count),
            ("alerts_delayed", "Evaluations left out as the store was behind.", lambda: alert_evaluator.delayed_count),
            ("deliveries_sent", "Alert messages delivered.", lambda: sum(sender.sent_count for sender in senders)),
            ("deliveries_failed", "Alert messages given up.", lambda: sum(sender.given_up_count for sender in senders)),
            ("digest_mails_sent", "Digest emails that were sent since the start.", lambda: digest_mailer.sent_count),
            ("digest_mails_failed", "Digest emails given up.", lambda: digest_mailer.given_up_count),
            ("jobs_done", "Scheduled jobs done since the start.", lambda: jobs.done_count),
            ("jobs_failed", "Failed attempts of scheduled jobs since the start.", lambda: jobs.failed_count),
            ("limits_fallbacks", "Requests that a worker limited on its own.", lambda: limits.fallback_count),
            ("kept_answers_hits", "Slices and answers that were kept and used again.", lambda: kept_rows.hit_count),
            ("kept_answers_misses", "Slices and answers that had to be queried.", lambda: kept_rows.miss_count),
            (
                "queries_cancelled",
                "Queries stopped because no one was waiting.",
                lambda: cancellations.cancelled_count,
            ),
        ],
        gauges=[
            ("queries_running", "Queries that the event store is running.", lambda: reader.slots.running_count),
            ("queries_waiting", "Queries that are queued.", lambda: reader.slots.waiting_count),
            (
                "property_columns",
                "Properties that have a column of their own.",
                lambda: services.property_columns.column_count,
            ),
            ("kept_answers_bytes", "Memory of what earlier answers found.", lambda: kept_rows.byte_count),
            (
                "queries_stuck",
                "Queries that keep running although they should stop.",
                lambda: cancellations.stuck_count,
            ),
            ("alerts_delay_seconds", "How long alerts wait for events.", lambda: alert_evaluator.delay_seconds),
            ("job_delay_seconds", "How late the last scheduled job began, in seconds.", lambda: jobs.late_ms / 1000),
            ("spool_waiting_bytes", "Bytes queued for the event store.", lambda: spool.waiting_bytes),
            ("store_failing", "1 while the event store refuses inserts.", lambda: float(bool(drain.failure_reason))),
            ("store_damaged_parts", "Damaged or missing parts of the event store.", lambda: len(damages.entries)),
            ("limits_away", "1 while the limits server does not respond.", lambda: float(limits.is_away)),
            ("disk_free_bytes", "Free disk space for the data, as of the last check.", lambda: disk.free_bytes),
            ("clock_ahead_seconds", "This host's clock minus the database's.", lambda: clock.ahead_ms() / 1000),
            ("workers", "Known processes that serve this installation.", peers.worker_count),
        ],
        labels={} if peers.spool_id() is None else {"spool": str(peers.spool_id())},  # unlike a name, it stays the same
        worker_labels={"spool": str(spool.identity), "host": gethostname(), "version": running_version()},
    )
