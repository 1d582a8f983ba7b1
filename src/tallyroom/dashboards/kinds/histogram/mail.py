"""What a mail shows of a histogram: how many values each bucket has."""

from collections.abc import Sequence

from tallyroom.dashboards.kinds.histogram.question import Histogram
from tallyroom.dashboards.mail.cells import MAX_ROWS
from tallyroom.dashboards.mail.contents import Content, MailNote, MailTable, WidgetDetail
from tallyroom.dashboards.mail.id_names import is_id
from tallyroom.dashboards.mail.numbers import ValueFormatter, format_as_sent, format_full
from tallyroom.queries.values import Bucket, value_of


def contents(widget: WidgetDetail, result: Histogram) -> list[Content]:
    """Return a row for each bucket; neighboring buckets are put together if there are many."""
    if not result.buckets:
        return [MailNote("No values in this time.")]
    format_value = format_as_sent if is_id(widget.config.property) else format_full
    buckets_per_row = -(-len(result.buckets) // MAX_ROWS)
    starts = range(0, len(result.buckets), buckets_per_row)
    buckets = [_merge_buckets(result.buckets[start : start + buckets_per_row]) for start in starts]
    highest = max(bucket.count for bucket in buckets) or 1
    rows = [[_format_range(bucket, format_value), format_full(bucket.count)] for bucket in buckets]
    return [MailTable(("Values", "Events"), rows, (False, True), [bucket.count / highest for bucket in buckets])]


def _merge_buckets(buckets: Sequence[Bucket]) -> Bucket:
    return Bucket(buckets[0].from_, buckets[-1].to, sum(bucket.count for bucket in buckets))


def _format_range(bucket: Bucket, format_value: ValueFormatter) -> str:
    start, end = (format_value(value_of(edge)) for edge in (bucket.from_, bucket.to))
    return start if start == end else f"{start} to {end}"
