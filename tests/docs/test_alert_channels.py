"""docs/howto/alert-channels.md: channels are made, and webhooks verified, with what the page says to paste."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.builders.alert_messages import a_message
from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import blocks, in_one_terminal, new_terminal
from tallyroom.alerts.channel_types.webhook import build_webhook_request
from tallyroom.core.clock import SystemClock

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "alert-channels.md"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
HEADINGS = {
    "Email": ("email", "o•••@example.com"),
    "Slack": ("slack", "https://hooks.slack.com/••••XXXX"),
    "Discord": ("discord", "https://discord.com/••••XXXX"),
    "Telegram": ("telegram", "https://api.telegram.org/••••7890"),
    "Webhook": ("webhook", "https://pager.example.com/••••room"),
}


def test_every_channel_of_the_page_is_made_and_tested(workspace: Workspace, tmp_path: Path) -> None:
    terminal = new_terminal(tmp_path, TALLYROOM_URL=workspace.url, TALLYROOM_TOKEN=workspace.session_token)
    for heading, (kind, preview) in HEADINGS.items():
        made = json.loads(in_one_terminal(blocks(PAGE, heading)[:1], terminal, tmp_path)[0])
        assert (made["type"], made["destinationPreview"]) == (kind, preview)
        assert ("secret" in made) == (kind == "webhook")
    tried = blocks(PAGE, "Test a channel and check deliveries")
    (output,) = in_one_terminal(tried, terminal, tmp_path)
    tested, listed = output.splitlines()
    assert json.loads(tested) == {
        "ok": False,
        "error": "TALLYROOM_SMTP_URL is not set, so the email was written to the log",
    }
    assert json.loads(listed) == {"deliveries": []}


@pytest.mark.parametrize("language", ["python", "js"])
def test_a_webhook_is_verified(language: str) -> None:
    [code] = [block.code for block in blocks(PAGE, "Webhook") if block.language == language]
    sent = build_webhook_request("https://x", SECRET, a_message(), "delivery-1", SystemClock().now_ms())
    shown = json.loads(run(language, code, sent.body, sent.headers))
    assert shown["data"]["name"] == "Too many sign-ups"
    wrong = sent.headers | {"webhook-id": "delivery-2"}
    with pytest.raises(subprocess.CalledProcessError):
        run(language, code, sent.body, wrong)


def run(language: str, code: str, body: bytes, headers: dict[str, str]) -> str:
    arguments: tuple[Any, Any] = (body.decode(), headers)
    if language == "python":
        command = [sys.executable, "-"]
        code += f"\nimport json\nbody, headers = {arguments!r}\nprint(json.dumps(received(body.encode(), headers)))\n"
    else:
        command = ["node", "--input-type=module", "-"]
        code += f"\nconsole.log(JSON.stringify(received(...{json.dumps(arguments)})));\n"
    return subprocess.run(
        command,
        input=code,
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
        env={"WEBHOOK_SECRET": SECRET, "PATH": "/usr/bin:/bin:/usr/local/bin"},
    ).stdout
