"""The web app as the server sends it: which request gets which file, in what form (rules/safety#web-app)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.clients.workspace import sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few
from tallyroom.rest.hosts import APP_SEGMENTS
from tallyroom.server.ui.web_app import CSP, WebApp

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ROUTES = Path(__file__).parents[3] / "web" / "src" / "app" / "routes"

PAGES = ["/", "/d/x", "/d/x/", "/d/x/w/new", "/actors/a%2Fb", "/alerts/1", "/reset", "/invite", "/no-such-page", "/v1x"]
OF_THE_SERVER = ["/v1", "/v1/none", "/chat/none", "/discord/none", "/api/none", "/custom/none", "/assets/none.js"]
OF_THE_SERVER += ["/docs/none", "/p", "/public/a/b", "/openapi.json/none", "/healthz/none", "//d/x", "/d//x"]


@pytest.fixture
def browser(with_app: Server) -> Iterator[httpx.Client]:
    headers = {"accept": BROWSER, "accept-encoding": "gzip, deflate, br, zstd", "host": "tally.example"}
    with httpx.Client(base_url=with_app.url, headers=headers, timeout=30) as client:
        yield client


def raw(client: httpx.Client, path: str, method: str = "GET", **headers: str) -> tuple[int, httpx.Headers, bytes]:
    """Status, headers and bytes as they are sent; `headers` have "_" for "-"."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    with client.stream(method, path, headers=named) as answer:
        return answer.status_code, answer.headers, b"".join(answer.iter_raw())


@pytest.mark.long
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_the_same_file(browser: httpx.Client, built: dict[str, bytes], path: str) -> None:
    status, headers, body = raw(browser, path)
    assert (status, body) == (200, built["index.html.br"])
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["x-request-id"]
    kept = ["cache-control", "content-security-policy", "referrer-policy"]
    assert [headers[name] for name in kept] == ["no-cache", CSP, "same-origin"]
    assert "cross-origin-opener-policy" not in headers  # browsers take it over https alone
    assert (headers["x-content-type-options"], headers["vary"]) == ("nosniff", "accept, accept-encoding")


def test_the_policy_lets_nothing_in_from_elsewhere_but_pictures() -> None:
    assert "unsafe" not in CSP
    assert re.findall(r"([\w-]+) [^;]*https?:", CSP) == ["img-src"]
    for directive in ("default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert directive in CSP
    assert "require-trusted-types-for 'script'" in CSP


@pytest.mark.parametrize("path", OF_THE_SERVER)
def test_what_belongs_to_the_server_stays_json(browser: httpx.Client, path: str) -> None:
    check_refusal(browser.get(f"{browser.base_url}".rstrip("/") + path), 404)


def test_the_pages_of_the_server_stay_its_own(browser: httpx.Client) -> None:
    assert "swagger" in browser.get("/docs").text
    assert browser.get("/healthz").json()["status"] == "ok"
    assert browser.get("/sign-in/nothing").status_code == 404


@pytest.mark.parametrize("accept", ["*/*", "application/json", "image/avif,image/webp,*/*;q=0.8", "text/html;q=0", ""])
def test_who_does_not_read_html_gets_a_page_at_the_root_only(browser: httpx.Client, accept: str) -> None:
    check_refusal(browser.get("/d/x", headers={"accept": accept}), 404)
    check_refusal(browser.get("/favicon.ico", headers={"accept": accept}), 404)
    assert raw(browser, "/", accept=accept)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_a_page_is_only_read(browser: httpx.Client, method: str) -> None:
    check_refusal(browser.request(method, "/d/x"), 404)
    check_refusal(browser.request(method, "/assets/main-1a2b.js"), 404)


@pytest.mark.parametrize("path", ["/d/x", "/assets/main-1a2b.js", "/theme.js"])
def test_a_look_at_the_headers_gets_them(browser: httpx.Client, path: str) -> None:
    got, looked = raw(browser, path), raw(browser, path, "HEAD")
    assert (looked[0], looked[2]) == (200, b"")
    assert set(got[1]) == set(looked[1])
    assert looked[1]["content-length"] == str(len(got[2]))


@pytest.mark.parametrize(
    ("takes", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=1.0, gzip;q=0.5", "br"),
        ("gzip", "gz"),
        ("GZIP, br;q=0", "gz"),
        ("deflate", ""),
        ("br;q=0,gzip;q=0.0", ""),
        ("identity", ""),
        ("*", ""),
    ],
)
def test_an_asset_comes_in_a_form_that_is_taken_and_is_kept(
    browser: httpx.Client, built: dict[str, bytes], takes: str, coding: str
) -> None:
    name = "assets/main-1a2b.js"
    status, headers, body = raw(browser, f"/{name}", accept_encoding=takes, accept="*/*")
    assert (status, body) == (200, built[f"{name}.{coding}" if coding else name])
    assert headers.get("content-encoding", "") == {"br": "br", "gz": "gzip", "": ""}[coding]
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (headers["vary"], headers["x-content-type-options"]) == ("accept-encoding", "nosniff")
    assert "etag" not in headers


def test_what_was_not_worth_packing_comes_as_it_is(browser: httpx.Client, built: dict[str, bytes]) -> None:
    status, headers, body = raw(browser, "/assets/main-3c4d.css")
    assert (status, body) == (200, built["assets/main-3c4d.css"])
    assert headers["content-type"] == "text/css; charset=utf-8"
    assert not {"content-encoding", "vary"} & set(headers)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/theme.js", "text/javascript; charset=utf-8"),
        ("/favicon.svg", "image/svg+xml"),
        ("/d/x", "text/html; charset=utf-8"),
    ],
)
def test_what_keeps_its_name_is_asked_for_again(browser: httpx.Client, path: str, kind: str) -> None:
    status, headers, body = raw(browser, path)
    assert (status, headers["content-type"], headers["cache-control"]) == (200, kind, "no-cache")
    assert body
    for known in (headers["etag"], f"W/{headers['etag']}", f'"other", {headers["etag"]}', "*"):
        again = raw(browser, path, if_none_match=known)
        assert (again[0], again[2], again[1]["etag"]) == (304, b"", headers["etag"])
    assert raw(browser, path, if_none_match='"other"')[0] == 200


def test_each_form_of_a_page_has_a_tag_of_its_own(browser: httpx.Client) -> None:
    packed, plain = (raw(browser, "/", accept_encoding=takes)[1]["etag"] for takes in ("br", "identity"))
    assert packed != plain
    assert raw(browser, "/", accept_encoding="identity", if_none_match=packed)[0] == 200


SCRIPTS = "</assets/frame-7a8b.js>; rel=modulepreload, </assets/dashboard-9c0d.js>; rel=modulepreload"
ASKED = "</v1/auth/me>; rel=preload; as=fetch; crossorigin"
LINKS = {
    "/keys": f"</assets/keys-5e6f.js>; rel=modulepreload, </assets/keys-3a4b.css>; rel=preload; as=style; crossorigin, {ASKED}",
    "/d/dash_1-x": f"{SCRIPTS}, {ASKED}, </v1/dashboards/dash_1-x>; rel=preload; as=fetch; crossorigin",
    "/actors/c:%C3%A9,%7Bx%7D": f"</assets/actor-1e2f.js>; rel=modulepreload, {ASKED}",
    "/actors/new": f"</assets/new-3a5c.js>; rel=modulepreload, {ASKED}",
    "/d/a,b": None,
    "/d/a%0d%0ab": None,
    "/d/%C3%A9": None,
    "/d/{id}": None,
    "/d/x/w/new": None,
    "/keys/": None,
    "/": None,
    "/theme.js": None,
}


@few(8, "path", LINKS)
def test_a_page_names_what_it_needs_first_to_who_is_signed_in(browser: httpx.Client, path: str) -> None:
    own = sign_up(str(browser.base_url)).cookie
    for cookie in (f"theme=dark; {own}=any", "theme=dark; tallyroom_session=any"):
        assert raw(browser, path, cookie=cookie)[1].get("link") == LINKS[path]
    for cookie in ("theme=dark", "session=tallyroom"):
        assert "link" not in raw(browser, path, cookie=cookie)[1]
    known = raw(browser, path, cookie="tallyroom_session=any", if_none_match="*")
    assert (known[0], known[1].get("link")) == (304, LINKS[path])


@pytest.mark.parametrize(
    "path",
    [
        *("/manifest.json", "/public-manifest.json", "/preloads.json", "/index.html", "/public.html"),
        *("/assets/main-1a2b.js.br", "/assets/", "/assets"),
    ],
)
def test_what_only_the_build_needs_is_not_sent(browser: httpx.Client, path: str) -> None:
    check_refusal(browser.get(path, headers={"accept": "*/*"}), 404)


@pytest.mark.parametrize("path", ["/", "/d/x", "/assets/main-1a2b.js", "/theme.js"])
def test_it_belongs_to_the_host_name_of_analytics(browser: httpx.Client, path: str) -> None:
    check_refusal(browser.get(path, headers={"host": "stats.example"}), 404)
    assert raw(browser, path, host="192.0.2.1")[0] == 200


def test_pages_and_files_are_counted(browser: httpx.Client) -> None:
    assert raw(browser, "/d/x")[0] == 200
    assert 'tallyroom_http_responses_total{entry="framework",' in browser.get("/metrics").text


@pytest.fixture
def folder(built: dict[str, bytes], tmp_path: Path) -> Path:
    """What was built, in a folder."""
    for name, body in built.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(body)
    return tmp_path


async def test_over_https_a_page_is_closed_to_its_opener(folder: Path) -> None:
    app = WebApp.read(folder, [], lambda _: False, is_https=True)
    assert app is not None
    scope: Any = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "headers": []}
    answer = await app(scope)
    assert answer is not None
    assert (b"cross-origin-opener-policy", b"same-origin") in answer.headers


def test_platforms_go_before_pages(folder: Path) -> None:
    app = WebApp.read(folder, ["chat", "mine"], lambda _: False, is_https=False)
    assert app is not None
    assert {
        segment: app._wants_page(f"/{segment}/x", [(b"accept", b"text/html")]) for segment in ("chat", "mine", "d")
    } == {
        "chat": False,
        "mine": False,
        "d": True,
    }


def test_no_platform_can_have_a_page_of_the_app() -> None:
    areas = [area.read_text(encoding="utf-8") for area in ROUTES.glob("*.ts")]
    paths = [path for area in areas for path in re.findall(r'^ *path: "/([^/"]+)', area, re.MULTILINE)]
    assert len(paths) > 10
    assert set(paths) - APP_SEGMENTS == set()


@pytest.mark.long
def test_without_the_app_the_log_says_so_and_pages_are_missing(plain: Server) -> None:
    assert sum("the web app is not built" in line for line in plain.output) == 1
    with httpx.Client(base_url=plain.url, headers={"accept": BROWSER}) as client:
        assert "<h1>" in client.get("/").text
        for path in ("/d/x", "/theme.js", "/assets/main-1a2b.js"):
            check_refusal(client.get(path), 404)
