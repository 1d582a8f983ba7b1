"""Problems are reported at most once a minute of each kind, and none is forgotten."""

from harness.sdk.hand_driven import StillClock
from tallyroom_client.problems import Problem, ProblemReporter


def test_one_report_a_minute_of_each_kind_and_the_rest_is_added() -> None:
    clock = StillClock()
    reports: list[Problem] = []
    reporter = ProblemReporter(reports.append, clock.monotonic, run=lambda call: call())
    for _ in range(5):
        reporter.report(Problem("refused", "wrong", 2))
    reporter.report(Problem("clock", "off"))
    assert [(problem.kind, problem.count) for problem in reports] == [("refused", 2), ("clock", 0)]
    clock.advance(59)
    reporter.report_due()
    assert len(reports) == 2
    clock.advance(1)
    reporter.report_due()
    assert (reports[2].kind, reports[2].count) == ("refused", 8)
    reporter.report(Problem("refused", "wrong", 1))
    reporter.report_due(is_last=True)
    assert (len(reports), reports[3].count) == (4, 1)
