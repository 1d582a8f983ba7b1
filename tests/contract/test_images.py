"""Pictures by URL: what is drawn, and how it is answered.

The rules: rules/pictures#paths, rules/pictures#points, rules/pictures#colors, rules/pictures#size-and-theme,
rules/pictures#headers.
"""

import io
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import httpx
import pytest
from PIL import Image

from harness.clients.pictures import POINTS, path
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few
from tallyroom.images.charts.colors import THEMES, ThemeName
from tallyroom.images.schemas import MAX_QUERY_BYTES

SVG = "{http://www.w3.org/2000/svg}"


def drawn(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return ET.fromstring(answer.text)


def pixels(answer: httpx.Response) -> Image.Image:
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), answer.text
    return Image.open(io.BytesIO(answer.content)).convert("RGBA")


@pytest.mark.parametrize(("kind", "type_"), [("graph", "svg+xml"), ("graph.svg", "svg+xml"), ("graph.png", "png")])
@pytest.mark.parametrize("word", [None, "graph", "graph.png"])
def test_the_path_decides_and_the_type_changes_nothing(
    anybody: httpx.Client, kind: str, type_: str, word: str | None
) -> None:
    answer = anybody.get(path(kind, **({} if word is None else {"type": word})))
    assert (answer.status_code, answer.headers["content-type"]) == (200, f"image/{type_}")
    assert answer.content == anybody.get(path(kind)).content


def test_what_is_sent_is_shown(anybody: httpx.Client) -> None:
    root = drawn(anybody.get(path(name="Servers & <friends>")))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts[0] == "Servers & <friends>" == root.find(f"{SVG}title").text
    assert {"a", "39", "b", "117"} <= set(texts)
    assert "from 0 to 117" in root.find(f"{SVG}desc").text


def test_a_line_break_in_a_text_is_a_space(anybody: httpx.Client) -> None:
    body = {
        "name": "Servers\r\nand\u2028friends\tof\x07 all",
        "data_points": [{"id": "a\nb", "x": x, "y": x} for x in range(2)] + [{"id": "c", "x": 0, "y": 1}],
    }
    root = drawn(anybody.post("/custom/render.svg", json=body))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts[0] == "Servers and friends of all" == root.find(f"{SVG}title").text
    assert "a b" in texts


def test_points_of_one_id_are_a_series_in_whatever_order(anybody: httpx.Client) -> None:
    assert anybody.get(path(points=POINTS[:1] + POINTS[:0:-1])).text == anybody.get(path()).text
    later = [*POINTS, POINTS[3] | {"y": 500}]
    assert "500" in anybody.get(path(points=later)).text, "of two of one moment the last holds"


def test_moments_that_are_all_milliseconds_are_drawn_as_that(anybody: httpx.Client) -> None:
    in_ms = [point | {"x": point["x"] * 1000} for point in POINTS]
    assert anybody.get(path(points=in_ms)).text == anybody.get(path()).text
    mixed = "".join(drawn(anybody.get(path(points=[*in_ms, POINTS[0]]))).itertext())
    assert "2025" not in mixed, "one in seconds: they are no times"


@pytest.mark.parametrize(("x", "said"), [(1e11, "5138"), (100_000_000_001, "3 Mar 1973"), (2.6e17, "2.6e17")])
def test_milliseconds_begin_where_seconds_are_of_no_use(anybody: httpx.Client, x: float, said: str) -> None:
    text = "".join(drawn(anybody.get(path(points=[{"id": "a", "x": x, "y": 1}]))).itertext())
    assert said in text


@pytest.mark.parametrize("color", ["#ff0000", "ff0000", "f00", "#F00", "ff0000ff"])
def test_colors_go_to_series_in_their_order(anybody: httpx.Client, color: str) -> None:
    found = pixels(anybody.get(path("graph.png", color=[color, "00f"], width=400, height=200)))
    counts = {pixel: count for count, pixel in found.getcolors(1_000_000) or ()}
    assert counts[255, 0, 0, 255] > 100
    assert counts[0, 0, 255, 255] > 100


@pytest.mark.parametrize("theme", list(THEMES))
def test_a_number_is_a_color_of_the_theme(anybody: httpx.Client, theme: ThemeName) -> None:
    found = pixels(anybody.get(path("graph.png", color=["8", "f00"], theme=theme, width=400, height=200)))
    counts = {pixel: count for count, pixel in found.convert("RGB").getcolors(1_000_000) or ()}
    assert counts[tuple(bytes.fromhex(THEMES[theme].series[7].removeprefix("#")))] > 100
    assert counts[255, 0, 0] > 100
    [detail] = check_refusal(anybody.get(path(color="9")), 400)["details"]
    assert detail == {"path": ["color", 0], "message": "must be a color as RGB, RRGGBB or RRGGBBAA, or 1 to 8"}


def test_a_png_has_the_size_asked_for(anybody: httpx.Client) -> None:
    assert pixels(anybody.get(path("graph.png"))).size == (1000, 400)
    assert pixels(anybody.get(path("graph.png", width=321, height=123, scale=2))).size == (642, 246)
    root = drawn(anybody.get(path(width=321, height=123, scale=2)))
    assert (root.get("width"), root.get("height")) == ("321", "123")


def test_themes(anybody: httpx.Client) -> None:
    light, dark = (pixels(anybody.get(path("graph.png", theme=theme))).getpixel((1, 1)) for theme in ("light", "dark"))
    assert (light, dark) == ((255, 255, 255, 255), (23, 23, 27, 255))
    assert "prefers-color-scheme:dark" in anybody.get(path(theme="auto")).text
    assert pixels(anybody.get(path("graph.png", background="transparent"))).getpixel((1, 1))[3] == 0  # type: ignore[index] # a pixel of RGBA has four numbers
    assert pixels(anybody.get(path("graph.png", background="102030"))).getpixel((1, 1)) == (16, 32, 48, 255)


def test_400_points_come_over_a_plain_get(anybody: httpx.Client) -> None:
    many = [{"id": f"series {at % 4}", "x": 1_763_000_000 + 60 * at, "y": 1000 + at / 7} for at in range(400)]
    asked = path("graph.png", points=many)
    assert len(asked) > 27_000
    assert anybody.get(asked).status_code == 200


def test_the_largest_query_works_and_a_larger_one_is_refused(server: Server) -> None:
    room = MAX_QUERY_BYTES - len(path(name="").split("?", 1)[1])
    for more, status in ((0, 200), (1, 413)):
        connection = HTTPConnection("127.0.0.1", server.port)  # the other client refuses so long a URL itself
        connection.request("GET", path(name="x" * (room + more)))
        assert connection.getresponse().status == status
        connection.close()


@few(
    5,
    ("query", "field"),
    [
        ({"points": "nonsense"}, "data_points"),
        ({"points": {}}, "data_points"),
        ({"points": [{"id": "a", "x": 1}]}, "data_points[0].y"),
        ({"points": [{"id": 1, "x": 1, "y": 1}]}, "data_points[0].id"),
        ({"points": [{"id": "a", "x": "1", "y": 1}]}, "data_points[0].x"),
        ({"points": '[{"id":"a","x":1e999,"y":1}]'}, "data_points[0].x"),
        ({"points": '[{"id":"a","x":NaN,"y":1}]'}, "data_points"),
        ({"points": [{"id": "a", "x": 1, "y": 1, "z": 1}]}, "data_points[0].z"),
        ({"points": [{"id": str(at), "x": 1, "y": 1} for at in range(51)]}, "data_points"),
        ({"color": "red"}, "color[0]"),
        ({"color": ["fff", "#12345"]}, "color[1]"),
        ({"color": ["fff"] * 51}, "color"),
        ({"background": "url(#a)"}, "background"),
        ({"theme": "blue"}, "theme"),
        ({"width": "15"}, "width"),
        ({"width": "2001"}, "width"),
        ({"height": "1e3"}, "height"),
        ({"scale": "0"}, "scale"),
        ({"scale": "4", "width": "2000", "height": "1000"}, "scale"),
        ({"fill": "maybe"}, "fill"),
        ({"type": "pie"}, "type"),
    ],
    ids=str,
)
def test_400_names_what_is_wrong(anybody: httpx.Client, query: dict[str, Any], field: str) -> None:
    body = check_refusal(anybody.get(path(**query)), 400)
    assert body["message"].startswith(field), body["message"]


def test_without_data_points(anybody: httpx.Client) -> None:
    assert check_refusal(anybody.get("/custom/graph"), 400)["message"] == "data_points is required"
    assert "No data" in anybody.get(path(points=[])).text


def test_the_same_request_has_the_same_tag_and_304(anybody: httpx.Client) -> None:
    for kind in ("graph", "graph.png"):
        first = anybody.get(path(kind))
        for _ in range(2):
            again = anybody.get(path(kind), headers={"if-none-match": first.headers["etag"]})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
        assert anybody.get(path(kind)).content == first.content
        assert anybody.get(path(kind, name="other")).headers["etag"] != first.headers["etag"]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (["*"], 304),
        (["W/{}"], 304),
        (['"a", {}'], 304),
        (['"a"', "{}"], 304),
        (["{}x"], 200),
        (['"a"'], 200),
        ([""], 200),
    ],
    ids=str,
)
def test_forms_of_a_condition(anybody: httpx.Client, sent: list[str], status: int) -> None:
    tag = anybody.get(path(name="condition")).headers["etag"]
    headers = [("if-none-match", each.replace("{}", tag)) for each in sent]
    answer = anybody.get(path(name="condition"), headers=headers)
    assert answer.status_code == status
    if status == 304:
        assert not {"content-length", "content-type"} & set(answer.headers)


def test_a_condition_on_what_was_never_drawn(anybody: httpx.Client) -> None:
    answer = anybody.get(path(name="never drawn before"), headers={"if-none-match": "*"})
    assert (answer.status_code, answer.content) == (304, b"")


def test_headers_of_a_picture(anybody: httpx.Client) -> None:
    for _ in range(2):  # drawn, and kept
        headers = anybody.get(path(name="headers")).headers
        assert headers["cache-control"] == "public, max-age=60"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        assert headers["x-request-id"]
        assert headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(("kind", "type_"), [("render", "svg+xml"), ("render.svg", "svg+xml"), ("render.png", "png")])
def test_a_body_draws_what_no_url_holds(anybody: httpx.Client, kind: str, type_: str) -> None:
    points = [{"id": "a", "x": at, "y": at % 97} for at in range(10_000)]
    answer = anybody.post(f"/custom/{kind}", json={"name": "Many", "data_points": points, "colors": ["f00"]})
    assert (answer.status_code, answer.headers["content-type"]) == (200, f"image/{type_}")
    check_refusal(anybody.post(f"/custom/{kind}", json={"data_points": [*points, points[0]]}), 400)
    check_refusal(anybody.post(f"/custom/{kind}", json={"data_points": [], "color": ["f00"]}), 400)


def test_the_short_way_and_the_long_one_draw_the_same(anybody: httpx.Client) -> None:
    body = {"data_points": POINTS, "name": "n", "colors": ["f00"], "width": 300, "height": 200, "theme": "dark"}
    query = path("graph.png", name="n", color="f00", width=300, height=200, theme="dark")
    assert anybody.get(query).content == anybody.post("/custom/render.png", json=body).content


def test_no_other_kind_is_there(anybody: httpx.Client) -> None:
    check_refusal(anybody.get(f"/custom/pie?data_points={quote('[]')}"), 404)
    check_refusal(anybody.post(path("graph")), 405)
