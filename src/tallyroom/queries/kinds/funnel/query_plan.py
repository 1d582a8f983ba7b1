"""The query plan of a funnel (rules/questions#funnel).

The query sorts the events of each unit, encoded as one integer each, and finds the chains among them. Ties are rare,
and breaking them means reading three more columns. So the first query orders by the moment alone, and reports whether
two events of one unit at the same moment match different steps. Only then does a second query order by arrival as well.

A breakdown first asks for its labels. The series of all labels and the whole are then found together.
"""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.kind import Kind
from tallyroom.queries.kinds.funnel.answer import BUCKETS, Funnel, FunnelSeries, PassedSteps, published, steps_of
from tallyroom.queries.kinds.funnel.chain_sql import reached, with_chains
from tallyroom.queries.kinds.funnel.config import FunnelConfig, check
from tallyroom.queries.kinds.funnel.drill_down import behind
from tallyroom.queries.kinds.funnel.events import labelled, matching, select, window_ms
from tallyroom.queries.kinds.funnel.ordering import Ordering, bits_of, ordered
from tallyroom.queries.kinds.funnel.sort_key import PlaceOrder, by_arrival, by_moment
from tallyroom.queries.query_plan import QueryPlan, rows
from tallyroom.queries.question import Question
from tallyroom.queries.units import unit_of

_MAX_SERIES = 10
_STEP_COLUMNS = ("units", "medians", "undecided")


class _Label(msgspec.Struct):
    label: str


def query_plan(config: FunnelConfig, question: Question) -> QueryPlan[Funnel]:
    """Make one pass over the events of the steps, and a second one if their order depends on their arrival."""
    labels = (yield from _labels(config, question)) if config.breakdown is not None else []
    bound = Bound()
    unit = unit_of(config.count, question, bound)
    bits = bits_of(config, labels)
    series_rows = yield from rows(_sql(config, labels, question, bound, by_moment(bits)), bound, PassedSteps)
    if any(row.undecided for row in series_rows):
        series_rows = yield from rows(_sql(config, labels, question, bound, by_arrival(bits)), bound, PassedSteps)
    steps = {row.series: steps_of(config, row) for row in series_rows}
    series = [FunnelSeries(label, steps[number]) for number, label in enumerate(labels, 1)]
    return Funnel(count=unit.count, steps=steps[0], series=UNSET if config.breakdown is None else series)


def _labels(config: FunnelConfig, question: Question) -> QueryPlan[list[str]]:
    """Find the labels whose series the most units start; which unit has which label is kept as a hash only."""
    bound = Bound()
    pairs = select(["DISTINCT label, unit"], "\nUNION ALL\n".join(labelled(config, [], question, bound)))
    after = f"\nGROUP BY label\nORDER BY count() DESC, label\nLIMIT {bound.integer('limit', _MAX_SERIES)}"
    label_rows = yield from rows(select(["label"], pairs, after), bound, _Label)
    return [row.label for row in label_rows]


def _sql(config: FunnelConfig, labels: Sequence[str], question: Question, bound: Bound, order: PlaceOrder) -> str:
    """Return the funnel's SQL, with the events in one `order`: a row for the whole, and one for each label."""
    window = bound.integer("window_ms", window_ms(config))
    ordering = ordered(config, labels, question, matching(config, labels, question, bound), order)
    steps = range(1, len(config.steps) + 1)
    events = with_chains(config, ordering, window)
    series = ["series"] if ordering.by_series else []
    units = select(
        [", ".join([*(ordering.final_columns or ("places", "moments")), *series]), *reached(steps, ordering)], events
    )
    total = select(
        [*series, *_totals(config, ordering, steps)], units, "\nGROUP BY series" if ordering.by_series else ""
    )
    return _spread([*series, *_STEP_COLUMNS], total, steps[1:]) if config.times else total


def _totals(config: FunnelConfig, ordering: Ordering, steps: Sequence[int]) -> list[str]:
    units = ", ".join(f"countIf(reached_{step} > 0)" for step in steps)
    medians = ", ".join(f"quantileExactInclusiveOrNullIf(0.5)(took_{step}, reached_{step} > 0)" for step in steps[1:])
    tie_conditions = [ordering.has_ties]
    if config.holding is not None:
        tie_conditions += [f"arrayMin(waits_{step}) != arrayMax(waits_{step})" for step in steps[1:]]
    columns = [f"[{units}] AS units", f"[{medians}] AS medians", f"countIf({' OR '.join(tie_conditions)}) AS undecided"]
    if config.times:
        columns += [f"groupArrayIf(toUInt32(took_{step}), reached_{step} > 0) AS all_{step}" for step in steps[1:]]
    return columns


def _spread(total_columns: Sequence[str], total: str, steps: Sequence[int]) -> str:
    """Add the shortest and the longest time of each step, and how many times are in each slot between the two.

    Each time is a whole number of milliseconds and so is what it is compared with, so that no rounding moves one.
    """
    ends = [
        column
        for step in steps
        for column in (f"arrayMin(all_{step}) AS least_{step}", f"arrayMax(all_{step}) AS greatest_{step}")
    ]
    slots = [
        f"arrayMap(took -> toUInt8(least(intDiv((took - least_{step}) * {BUCKETS},"
        f" greatest(greatest_{step} - least_{step}, 1)), {BUCKETS - 1})), all_{step}) AS slots_{step}"
        for step in steps
    ]
    lists = {
        "least": [f"least_{step}" for step in steps],
        "greatest": [f"greatest_{step}" for step in steps],
        "slots": [_counts(f"slots_{step}") for step in steps],
    }
    columns = [f"[{', '.join(expressions)}] AS {name}" for name, expressions in lists.items()]
    return select([*total_columns, *columns], select(["*", *slots], select(["*", *ends], total)))


def _counts(slots: str) -> str:
    return f"[{', '.join(f'countEqual({slots}, {slot})' for slot in range(BUCKETS))}]"


FUNNEL = Kind(
    name="funnel",
    config=FunnelConfig,
    results=(Funnel,),
    check=check,
    query_plan=query_plan,
    published=published,
    behind=behind,
)
