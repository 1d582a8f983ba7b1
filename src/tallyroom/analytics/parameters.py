"""Query parameters: those that the route declares, each once."""

from collections import Counter
from typing import Any

from litestar import Request

from tallyroom.analytics.methods import route_of
from tallyroom.auth.guards import public
from tallyroom.core.errors import ValidationFailed


def check_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse what the route does not declare, and what stands twice where it declares no list.

    A slip such as `timerange=1h` must not be answered as if it had been understood. Where anybody may go, unknown names
    pass: others add theirs to a link (`utm_source`) or to a probe (`cachebuster`).

    Raises:
        ValidationFailed: names the parameter.
    """
    sent = Counter(name for name, _ in request.query_params.multi_items())
    if not sent:
        return
    _, declared = route_of(request).route_handler_map[request.method]
    known = {parameter.field_alias for parameter in declared.expected_query_params}
    for name, times in sent.items():
        if name not in known:
            if public not in request.route_handler.resolve_guards():
                raise ValidationFailed.at([name], "is not a known parameter")
        elif times > 1 and name not in declared.sequence_query_parameter_names:
            raise ValidationFailed.at([name], f"stands {times} times; send it once")
