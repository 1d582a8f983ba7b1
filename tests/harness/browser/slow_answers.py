"""A network on which everything arrives late, each file and answer by another time."""

from random import Random

from playwright.sync_api import Page, Route

_FILE_MS, _ANSWER_MS = (0, 60), (40, 700)


def slow_down(page: Page, seed: str) -> None:
    """Hold back all that the tab asks for, nothing of it cached; the same seed draws the same times."""
    random = Random(seed)

    def hold(route: Route) -> None:
        is_file = "/assets/" in route.request.url
        page.wait_for_timeout(random.uniform(*(_FILE_MS if is_file else _ANSWER_MS)))
        route.continue_()

    page.route("**/*", hold)
