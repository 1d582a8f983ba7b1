"""The panel of what is behind a number of a dashboard."""

import json
import re
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page


def panel(page: Page) -> Locator:
    """The panel, if it is open."""
    return page.get_by_role("region", name=re.compile("^Behind "))


def spot_path(board: Any, title: str, spot: Any) -> str:
    """The path of a dashboard where a number of a widget is open."""
    [widget] = [widget for widget in board["widgets"] if widget["title"] == title]
    at = f"&at={quote(json.dumps(spot))}" if spot else ""
    return f"/d/{board['id']}?who={widget['id']}{at}"
