"""The values of `GET /metrics`, and where each comes from."""

from socket import gethostname
from typing import Any

from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.version import running_version
from tallyroom.digests.mailer import DigestMailer
from tallyroom.server.services import Services
from tallyroom.server.system.metrics import Metrics


def build_metrics(services: Services, alert_dependencies: dict[str, Any], digest_mailer: DigestMailer) -> Metrics:
    """Return the source of `GET /metrics`.

    `alert_dependencies` are the alert objects by dependency name.
    """
    spool, drain, disk, reader = services.spool, services.drain, services.disk, services.reader
    damages, jobs, limits = services.completeness_check.damages, services.scheduler, services.limits
    peers = services.database.peers
    clock = SharedClock(services.clock, peers)
    alert_evaluator, delivery_worker = alert_dependencies["alert_evaluator"], alert_dependencies["delivery_worker"]
    return Metrics(
        counters=[
            ("events_acked", "Events that clients were told are durable.", lambda: spool.acked_count),
            ("events_stored", "Events that reached the event store since the start.", lambda: drain.drained_count),
            ("events_dead_lettered", "Events put aside since the start.", lambda: drain.dead_letter_count),
            ("alerts_evaluated", "Evaluations of alerts since the start.", lambda: alert_evaluator.evaluated_count),
            ("alerts_failed", "Evaluations that had no answer.", lambda: alert_evaluator.failed_count),
            ("deliveries_sent", "Messages of alerts that arrived since the start.", lambda: delivery_worker.sent_count),
            (
                "deliveries_failed",
                "Messages of alerts that were given up since the start.",
                lambda: delivery_worker.given_up_count,
            ),
            ("digest_mails_sent", "Mails of digests that were sent since the start.", lambda: digest_mailer.sent_count),
            ("digest_mails_failed", "Mails of digests that were given up.", lambda: digest_mailer.given_up_count),
            ("jobs_done", "Scheduled jobs done since the start.", lambda: jobs.done_count),
            ("jobs_failed", "Scheduled jobs that failed since the start, each attempt.", lambda: jobs.failed_count),
            ("limits_fallbacks", "Requests judged by a worker alone.", lambda: limits.fallback_count),
            ("queries_cancelled", "Queries stopped since the start: nobody waited.", lambda: reader.cancelled_count),
        ],
        gauges=[
            ("queries_running", "Queries that the event store works on.", lambda: reader.slots.running_count),
            ("queries_waiting", "Queries that wait for their turn.", lambda: reader.slots.waiting_count),
            ("queries_stuck", "Queries that were told to stop and go on.", lambda: reader.stuck_count),
            ("job_delay_seconds", "How late the last scheduled job began.", lambda: jobs.late_ms / 1000),
            ("spool_waiting_bytes", "Bytes that wait for the event store.", lambda: spool.waiting_bytes),
            ("store_failing", "1 while the event store refuses inserts.", lambda: float(bool(drain.failure_reason))),
            ("store_damaged_parts", "Damaged or missing parts of the event store.", lambda: len(damages.entries)),
            ("limits_away", "1 while the server of the limits does not answer.", lambda: float(limits.is_away)),
            ("disk_free_bytes", "Free space where the data is, as last looked at.", lambda: disk.free_bytes),
            ("clock_ahead_seconds", "This host's clock before the database's.", lambda: clock.ahead_ms() / 1000),
            ("workers", "Processes that serve this installation, as far as this one knows.", peers.worker_count),
        ],
        labels=_build_labels(peers.spool_id()),
        worker_labels={"spool": str(spool.identity), "host": gethostname(), "version": running_version()},
    )


def _build_labels(spool_id: int | None) -> dict[str, str]:
    """Return labels that distinguish the metrics of several workers, independent of the address that was scraped.

    Unlike the name of a worker, the spool stays the same across starts.
    """
    return {} if spool_id is None else {"spool": str(spool_id)}
