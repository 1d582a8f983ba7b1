"""How a mail shows a histogram: how many values each bucket has."""

from collections.abc import Sequence

from tallyroom.dashboards.kinds.histogram.question import Histogram
from tallyroom.dashboards.mail.contents import MAX_ROWS, MailContent, MailNote, MailTable, MailWidget
from tallyroom.dashboards.mail.id_names import is_id_key
from tallyroom.dashboards.mail.numbers import ValueFormatter, format_full, format_id
from tallyroom.queries.values import Bucket, to_answer_value


def build_mail_contents(widget: MailWidget, result: Histogram) -> list[MailContent]:
    """Return a row for each bucket; if there are many, neighboring buckets are merged."""
    if not result.buckets:
        return [MailNote("No values in this time range.")]
    format_value = format_id if is_id_key(widget.config.property) else format_full
    buckets_per_row = -(-len(result.buckets) // MAX_ROWS)
    first_indices = range(0, len(result.buckets), buckets_per_row)
    buckets = [
        _merge_buckets(result.buckets[first_index : first_index + buckets_per_row]) for first_index in first_indices
    ]
    max_event_count = max(bucket.count for bucket in buckets) or 1
    rows = [[_format_range(bucket, format_value), format_full(bucket.count)] for bucket in buckets]
    return [
        MailTable(("Values", "Events"), rows, (False, True), [bucket.count / max_event_count for bucket in buckets])
    ]


def _merge_buckets(buckets: Sequence[Bucket]) -> Bucket:
    return Bucket(buckets[0].from_, buckets[-1].to, sum(bucket.count for bucket in buckets))


def _format_range(bucket: Bucket, format_value: ValueFormatter) -> str:
    start, end = (format_value(to_answer_value(edge)) for edge in (bucket.from_, bucket.to))
    return start if start == end else f"{start} to {end}"
