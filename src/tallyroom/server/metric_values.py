"""The numbers of `GET /metrics`, and where each comes from."""

from socket import gethostname
from typing import Any

from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.version import running_version
from tallyroom.digests.mailer import DigestMailer
from tallyroom.server.services import Services
from tallyroom.server.system.metrics import Metrics


def metrics_of(services: Services, alerting: dict[str, Any], digest_mailer: DigestMailer) -> Metrics:
    """Return what answers `GET /metrics`.

    Args:
        services: the parts of the server.
        alerting: what evaluates alerts and tells their channels, by the names of dependencies.
        digest_mailer: what mails digests.
    """
    spool, drain, disk, reader = services.spool, services.drain, services.disk, services.reader
    damages, scheduler, limits = services.completeness_check.damages, services.scheduler, services.limits
    peers = services.database.peers
    clock = SharedClock(services.clock, peers)
    evaluator, worker = alerting["alert_evaluator"], alerting["delivery_worker"]
    return Metrics(
        counters=[
            ("events_acked", "Events that clients were told are durable.", lambda: spool.acked_count),
            ("events_stored", "Events that reached the event store since the start.", lambda: drain.stored_count),
            ("events_dead_lettered", "Events put aside since the start.", lambda: drain.dead_letter_count),
            ("alerts_evaluated", "Evaluations of alerts since the start.", lambda: evaluator.evaluated_count),
            ("alerts_failed", "Evaluations that had no answer.", lambda: evaluator.failed_count),
            ("deliveries_sent", "Messages of alerts that arrived since the start.", lambda: worker.sent_count),
            (
                "deliveries_failed",
                "Messages of alerts that were given up since the start.",
                lambda: worker.failed_count,
            ),
            ("digest_mails_sent", "Mails of digests that were sent since the start.", lambda: digest_mailer.sent_count),
            ("digest_mails_failed", "Mails of digests that were given up.", lambda: digest_mailer.failed_count),
            ("jobs_done", "Scheduled jobs done since the start.", lambda: scheduler.done),
            ("jobs_failed", "Scheduled jobs that failed since the start, each attempt.", lambda: scheduler.failed),
            ("limits_fallbacks", "Requests judged by a worker alone.", lambda: limits.fallback_count),
            ("queries_cancelled", "Queries stopped since the start: nobody waited.", lambda: reader.cancelled_count),
        ],
        gauges=[
            ("queries_running", "Queries that the event store works on.", lambda: reader.slots.running_count),
            ("queries_waiting", "Queries that wait for their turn.", lambda: reader.slots.waiting_count),
            ("queries_stuck", "Queries that were told to stop and go on.", lambda: reader.stuck_count),
            ("job_delay_seconds", "How late the last scheduled job began.", lambda: scheduler.late_ms / 1000),
            ("spool_waiting_bytes", "Bytes that wait for the event store.", lambda: spool.waiting_bytes),
            ("store_failing", "1 while the event store refuses inserts.", lambda: float(bool(drain.failure))),
            ("store_damaged_parts", "Damaged or missing parts of the event store.", lambda: len(damages.entries)),
            ("limits_away", "1 while the server of the limits does not answer.", lambda: float(limits.is_away)),
            ("disk_free_bytes", "Free space where the data is, as last looked at.", lambda: disk.free_bytes),
            ("clock_ahead_seconds", "This host's clock before the database's.", lambda: clock.ahead_ms() / 1000),
            ("workers", "Processes that serve this installation, as far as this one knows.", peers.worker_count),
        ],
        labels=_labels(peers.spool_id()),
        worker={"spool": str(spool.identity), "host": gethostname(), "version": running_version()},
    )


def _labels(spool: int | None) -> dict[str, str]:
    """Return what tells the numbers of several workers apart, through whichever address they are asked.

    The spool stays the same from one start to the next, unlike the name of a worker.
    """
    return {} if spool is None else {"spool": str(spool)}
