"""Distributions as tables: retention, histogram and heatmap, each as short as a mail needs it."""

from tallyroom.digests.mail.contents import Content, MailChart, MailNote, MailTable
from tallyroom.digests.mail.numbers import NO_VALUE, Write, in_full, percent
from tallyroom.digests.mail.period import short_date
from tallyroom.queries.kinds.heatmap import Heatmap
from tallyroom.queries.kinds.histogram import Histogram
from tallyroom.queries.kinds.retention import Cohort, Granularity, Retention
from tallyroom.queries.values import Bucket, value_of

_MAX_ROWS = 10
_MAX_PERIODS = 4
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def retention(title: str, result: Retention, timezone: str) -> list[Content]:
    """Show the cohorts, or the newest of them and how many came back in the first periods after.

    The cohorts are named by the calendar of the time zone in which they were counted.
    """
    came = sum(cohort.size for cohort in result.cohorts if len(cohort.values) > 1)
    back = sum(cohort.values[1] for cohort in result.cohorts if len(cohort.values) > 1)
    if not came:
        return [MailNote("Nobody new before the last period.")]
    words = f"{title}: {percent(back / came)} came back the next {result.granularity}"
    return [MailChart(words, table=_newest_cohorts(result, timezone))]


def _newest_cohorts(result: Retention, timezone: str) -> MailTable:
    cohorts = result.cohorts[-_MAX_ROWS:]
    periods = min(_MAX_PERIODS, len(result.cohorts) - 1)
    head = [result.granularity.capitalize(), "New", *(f"+{number}" for number in range(1, periods + 1))]
    rows = [_cohort(cohort, periods, result.granularity, timezone) for cohort in cohorts]
    left_out = len(result.cohorts) - len(cohorts)
    return MailTable(head, rows, (False, *[True] * (periods + 1)), left_out=_older(left_out))


def _cohort(cohort: Cohort, periods: int, granularity: Granularity, timezone: str) -> list[str]:
    start = short_date(cohort.start, timezone, whole_month=granularity == "month")
    back = cohort.values[1 : periods + 1]
    shares = [percent(count / cohort.size) if cohort.size else NO_VALUE for count in back]
    return [start, in_full(cohort.size), *shares, *[""] * (periods - len(shares))]


def _older(count: int) -> str:
    return f"{count} older on the dashboard" if count else ""


def histogram(result: Histogram, write: Write = in_full) -> list[Content]:
    """Show how many values each bucket has; neighboring buckets are put together if there are many."""
    if not result.buckets:
        return [MailNote("No values in this time.")]
    together = -(-len(result.buckets) // _MAX_ROWS)
    buckets = [_together(result.buckets[start : start + together]) for start in range(0, len(result.buckets), together)]
    most = max(bucket.count for bucket in buckets) or 1
    rows = [[_span(bucket, write), in_full(bucket.count)] for bucket in buckets]
    return [MailTable(("Values", "Events"), rows, (False, True), [bucket.count / most for bucket in buckets])]


def _together(buckets: list[Bucket]) -> Bucket:
    return Bucket(buckets[0].from_, buckets[-1].to, sum(bucket.count for bucket in buckets))


def _span(bucket: Bucket, write: Write) -> str:
    start, end = (write(value_of(edge)) for edge in (bucket.from_, bucket.to))
    return start if start == end else f"{start} to {end}"


def heatmap(title: str, result: Heatmap) -> list[Content]:
    """Show the hours of the week, or the events of each of its days, and the busiest hour."""
    totals = [sum(hours) for hours in result.cells]
    most = max(totals)
    if not most:
        return [MailNote("No events in this time.")]
    count, day, hour = max(
        ((count, -day, -hour) for day, hours in enumerate(result.cells) for hour, count in enumerate(hours))
    )
    busiest = f"Busiest: {_DAYS[-day]}, {-hour:02}:00 to {1 - hour:02}:00, with {in_full(count)}."
    rows = [[name, in_full(total)] for name, total in zip(_DAYS, totals, strict=True)]
    table = MailTable(("Day", "Events"), rows, (False, True), [total / most for total in totals])
    return [MailNote(busiest), MailChart(f"{title}: {_DAYS[-day]} at {-hour:02}:00 is the busiest hour", table=table)]
