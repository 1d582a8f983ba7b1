"""docs/howto/alerts.md: from a preview to an alert that fires, with what the page says to paste."""

import json
import os
import time
from pathlib import Path
from typing import Any

from harness.clients.workspace import sign_up
from harness.servers.server import Server
from harness.suite.pasted_blocks import Block, blocks, in_one_terminal
from harness.suite.patience import PATIENCE

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "alerts.md"


def test_the_page_from_top_to_bottom(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", alert_seconds="1").start()
    workspace = sign_up(server.url)
    mine = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    mine |= {
        "TALLYROOM_URL": workspace.url,
        "TALLYROOM_KEY": workspace.key,
        "TALLYROOM_TOKEN": workspace.session_token,
    }
    tried = blocks(PAGE, "Try a rule on the past")
    sent, preview, of_formula = (in_one_terminal([block], mine, tmp_path)[0] for block in tried)
    assert json.loads(sent) == {"accepted": 3}
    assert json.loads(preview)["fired"] == 0
    assert json.loads(of_formula)["fired"] in {0, 1}  # 1 if a minute has ended since
    created = [*blocks(PAGE, "Create the alert"), Block("sh", "echo $CHANNEL $ALERT\n")]
    mine["CHANNEL"], mine["ALERT"] = in_one_terminal(created, mine, tmp_path)[-1].split()
    assert fired(lambda: in_one_terminal(blocks(PAGE, "Check its status"), mine, tmp_path))
    assert "POST /v1/alerts/$ALERT/resolve" in PAGE.read_text()
    with workspace.client() as client:
        assert client.post(f"/v1/alerts/{mine['ALERT']}/resolve").json()["status"] == "ok"
    [paused] = in_one_terminal(blocks(PAGE, "Pause it"), mine, tmp_path)
    assert json.loads(paused)["status"] == "paused"
    assert server.stop() == 0


def fired(see: Any) -> bool:
    """Whether the alert fires, has told so in activity and history, and has written a message, within a while."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        alert, history, activity, deliveries = (json.loads(part) for part in see()[-1].splitlines())
        if alert["status"] == "firing" and deliveries["deliveries"]:
            [of_alert] = history["alerts"]
            fired_by_day = [day["fired"] for day in of_alert["firingDays"]]
            return ([each["type"] for each in activity["activity"]], fired_by_day) == (["fired"], [1])
        time.sleep(0.3)
    return False
