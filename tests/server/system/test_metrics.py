"""GET /metrics: answers are counted as they leave, everything else is read when it is asked for."""

from tallyroom.server.system.metrics import Metrics


def test_every_number_is_read_when_asked_for_and_answers_are_counted() -> None:
    number = {"acked": 3.0, "waiting": 7.0}
    metrics = Metrics([("acked", "Help.", lambda: number["acked"])], [("waiting", "Help.", lambda: number["waiting"])])
    metrics.count_answer("/v1/events", 202)
    metrics.count_answer("/v1/events", 202)
    metrics.count_answer("framework", 404)
    first = metrics.render_text().decode().splitlines()
    assert "tallyroom_acked_total 3.0" in first
    assert "tallyroom_waiting 7.0" in first
    assert 'tallyroom_http_responses_total{entry="/v1/events",status="202"} 2.0' in first
    assert 'tallyroom_http_responses_total{entry="framework",status="404"} 1.0' in first
    number["waiting"] = 0.0
    assert "tallyroom_waiting 0.0" in metrics.render_text().decode().splitlines()


def test_two_registries_know_nothing_of_each_other() -> None:
    one, other = Metrics([], []), Metrics([], [])
    one.count_answer("framework", 200)
    assert b"framework" not in other.render_text()


def test_labels_tell_workers_apart_and_every_number_has_them() -> None:
    metrics = Metrics(
        [("acked", "Help.", lambda: 3)],
        [("waiting", "Help.", lambda: 7)],
        labels={"spool": "9"},
        worker_labels={"spool": "9", "host": "one"},
    )
    metrics.count_answer("framework", 200)
    lines = [line for line in metrics.render_text().decode().splitlines() if not line.startswith("#")]
    assert lines == [
        'tallyroom_worker_info{host="one",spool="9"} 1.0',
        'tallyroom_http_responses_total{entry="framework",spool="9",status="200"} 1.0',
        'tallyroom_acked_total{spool="9"} 3.0',
        'tallyroom_waiting{spool="9"} 7.0',
    ]
