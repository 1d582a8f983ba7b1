"""Whatever texts it is given, a picture runs no script and fetches nothing, wherever it is put (rules/pictures#texts).

The pages have no policy of their own, so that it is the picture that is harmless. Each way is tried with a picture that
does harm, too: where that one can do nothing, these tests would not see anything either.
"""

from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest
from playwright.sync_api import Frame

from harness.browser.chromium import RAN, Witness
from harness.builders.markup import wicked_svg, wicked_texts
from harness.clients.pictures import path
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from tallyroom.images.cache import PICTURE_HEADERS
from tallyroom.images.charts.svg import to_single_line

LONGEST_NAME = 100
SERIES = 3
WORDS = "[...document.querySelectorAll('title, desc, text')].map(each => each.textContent)"
Show = Callable[[Witness, Any, list[str]], None]


def wicked_paths(url: str) -> list[str]:
    """A picture for each text as its title, with the next ones as names."""
    texts = wicked_texts(url)
    size: dict[str, Any] = {"width": 900, "height": 150}
    return [
        path(points=[{"id": name, "x": 1, "y": 2} for name in (texts + texts)[at : at + SERIES]], name=text, **size)
        for at, text in enumerate(texts)
    ]


def bodies(server: Server, paths: list[str]) -> list[str]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        answers = [client.get(each) for each in paths]
    assert {answer.status_code for answer in answers} == {200}
    return [answer.text for answer in answers]


def as_part_of_a_page(witness: Witness, elsewhere: Any, svgs: list[str]) -> None:
    witness.opens(elsewhere.shows(f"<!doctype html><title>A page</title>{''.join(svgs)}"))


def put_in_by_a_script(witness: Witness, elsewhere: Any, svgs: list[str]) -> None:
    witness.opens(elsewhere.shows("<!doctype html><title>A page</title><div id=here></div>"))
    witness.page.evaluate("svgs => { here.innerHTML = svgs.join('') }", svgs)
    witness.page.wait_for_load_state("networkidle")


WAYS = [as_part_of_a_page, pytest.param(put_in_by_a_script, marks=pytest.mark.long)]


@pytest.mark.parametrize("show", WAYS)
def test_within_a_page(server: Server, witness: Witness, elsewhere: Any, show: Show) -> None:
    """Nothing happens, though it would, and would be seen."""
    svgs = bodies(server, wicked_paths(elsewhere.thief))
    show(witness, elsewhere, svgs)
    assert witness.page.locator("body svg").count() == len(svgs)
    assert (witness.ran(), witness.asked, elsewhere.stolen) == (False, [], set())
    show(witness, elsewhere, [wicked_svg(elsewhere.thief).decode()])
    assert witness.ran()
    assert elsewhere.stolen >= {"/stolen/style", "/stolen/image", "/stolen/img"}
    assert len(witness.asked) >= 3


def framed(elsewhere: Any, svgs: Sequence[str | bytes], **headers: str) -> str:
    """A page with each picture as a document of its own."""
    urls = [elsewhere.shows(svg, "image/svg+xml", **headers) for svg in svgs]
    return str(elsewhere.shows("<!doctype html>" + "".join(f'<iframe src="{url}"></iframe>' for url in urls)))


def documents(witness: Witness, url: str) -> list[Frame]:
    """The documents of the pictures of `framed`."""
    witness.opens(url)
    found = witness.page.main_frame.child_frames
    witness.expected |= {frame.url for frame in found}
    assert {frame.evaluate("document.documentElement.localName") for frame in found} == {"svg"}, "they are well-formed"
    return found


@pytest.mark.long
def test_as_documents_that_show_what_was_sent(server: Server, witness: Witness, elsewhere: Any) -> None:
    """But for what no picture shows, and cut where there is no room. A picture that does harm would be seen."""
    svgs = bodies(server, wicked_paths(elsewhere.thief))
    found = documents(witness, framed(elsewhere, svgs))
    assert len(found) == len(svgs)
    texts = wicked_texts(elsewhere.thief) * 2
    for at, frame in enumerate(found):
        ran, shown = frame.evaluate(f"[{RAN}, {WORDS}]")
        assert not ran, frame.url
        check_words([to_single_line(text).strip() for text in texts[at : at + SERIES]], shown)
    assert (witness.asked, elsewhere.stolen) == ([], set())
    (harmful,) = documents(witness, framed(elsewhere, [wicked_svg(elsewhere.thief)]))
    assert harmful.evaluate(RAN)
    assert elsewhere.stolen == {"/stolen/style", "/stolen/image", "/stolen/img"}


def check_words(names: list[str], words: list[str]) -> None:
    """A title and a description; then the heading, and a name and a value for each series."""
    title, description, heading, *legend = words
    assert title == names[0]
    check_shown(heading, title)
    for number, name in enumerate(names):
        check_shown(legend[2 * number], name)
        told = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
        assert f"{told} ends at 2" in description


def check_shown(shown: str, sent: str) -> None:
    """It is what was sent, or its beginning."""
    assert shown == sent or (shown.endswith("…") and len(shown) > 5 and sent.startswith(shown[:-1])), (shown, sent)


@pytest.mark.long
def test_as_a_document_of_the_server(server: Server, witness: Witness, elsewhere: Any) -> None:
    for sent in wicked_paths(elsewhere.thief)[::17]:
        witness.opens(server.url + sent)
        assert witness.page.evaluate("document.documentElement.localName") == "svg"
        assert not witness.ran()
    assert (witness.asked, elsewhere.stolen) == ([], set())


def test_with_the_headers_of_the_server_even_a_wicked_picture_does_nothing(witness: Witness, elsewhere: Any) -> None:
    sent = {name.replace("-", "_"): text for name, text in PICTURE_HEADERS.items()}
    (found,) = documents(witness, framed(elsewhere, [wicked_svg(elsewhere.thief)], **sent))
    assert (found.evaluate(RAN), elsewhere.stolen) == (False, set())
    witness.opens(elsewhere.shows(wicked_svg(elsewhere.thief), "image/svg+xml", **sent))
    assert (witness.ran(), elsewhere.stolen) == (False, set())


@pytest.mark.long
def test_as_an_image(server: Server, witness: Witness, elsewhere: Any) -> None:
    """Where browsers stop everything already; that all of them load shows that they are well-formed."""
    urls = [server.url + each for each in wicked_paths(elsewhere.thief)]
    witness.expected |= set(urls)
    witness.opens(elsewhere.shows("<!doctype html><div id=here></div>"))
    widths = witness.page.evaluate(
        """urls => Promise.all(urls.map(async url => {
            const image = new Image(); image.src = url; await image.decode(); here.append(image); return image.naturalWidth
        }))""",
        urls,
    )
    assert widths == [900] * len(urls)
    assert (witness.ran(), witness.asked, elsewhere.stolen) == (False, [], set())


@pytest.mark.parametrize("name", ["color", "background"])
@pytest.mark.parametrize(
    "wicked",
    [
        "red",
        "url(http://127.0.0.1/x)",
        "fff}</style><script>",
        "#fff;}*{fill:red",
        "fff\n",
        "ff f",
        "ＦＦＦ",
        "#",
        "0x1",
        "",
    ],
)
def test_colors_that_are_none_are_refused(server: Server, name: str, wicked: str) -> None:
    with httpx.Client(base_url=server.url) as client:
        said = check_refusal(client.get(path(**{name: wicked})), 400)
    assert said["message"].startswith(name)
