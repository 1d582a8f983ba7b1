"""Whether an alert has ever seen an event: until then, that all is well means nothing (rules/alerts#alert)."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.clients.dashboards import make_alert
from harness.clients.workspace import Workspace, sign_up
from harness.servers.street import Street, open_street
from harness.suite.patience import PATIENCE


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with open_street(tmp_path_factory.mktemp("street"), alert_seconds="1") as street:
        yield street


@pytest.fixture
def owner(street: Street) -> Workspace:
    return sign_up(street.server.url)


def seen(owner: Workspace, alert: Any, is_so: Callable[[Any], bool]) -> Any:
    """The alert, as soon as it is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so(shown := owner.get(f"/v1/alerts/{alert['id']}").json()):
        assert time.monotonic() < deadline, shown
        time.sleep(0.1)
    return shown


def change(owner: Workspace, alert: Any, **fields: Any) -> Any:
    with owner.client() as client:
        answer = client.patch(f"/v1/alerts/{alert['id']}", json=fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.long
def test_an_alert_tells_when_it_last_had_data(owner: Workspace) -> None:
    alert = make_alert(owner, event="order")
    evaluated = seen(owner, alert, lambda shown: shown["lastEvaluatedAt"] is not None)
    assert (evaluated["status"], evaluated["lastValue"], evaluated["lastDataAt"]) == ("ok", 0, None)
    assert owner.send({"name": "order"}).status_code == 202
    assert seen(owner, alert, lambda shown: shown["lastDataAt"] is not None)["status"] == "ok"


@pytest.mark.parametrize(
    "subject",
    [{"event": "ordre"}, {"filters": [{"key": "plan", "op": "eq", "value": "pro"}]}, {"environment": "development"}],
)
def test_what_watches_something_else_has_no_data_yet(owner: Workspace, subject: dict[str, Any]) -> None:
    alert = make_alert(owner, event="order")
    assert owner.send({"name": "order"}).status_code == 202
    seen(owner, alert, lambda shown: shown["lastDataAt"] is not None)
    assert change(owner, alert, name="New", threshold=5, windowMinutes=30)["lastDataAt"] is not None
    assert change(owner, alert, **subject)["lastDataAt"] is None
