"""The compose files are such files, and keep what docs/howto/containers.md says of them."""

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import parse

import pytest
import yaml
from compose_spec import PyCompose
from cryptography.fernet import Fernet

from tallyroom.core.event_server import read_event_server
from tallyroom.core.secret_files import read_secret_files
from tallyroom.core.settings import PREFIX, SERVER_SETTINGS, Settings
from tallyroom.storage.event_store.backend.server.requirements import (
    COLUMN_RIGHTS,
    MIN_VERSION,
    READER_RIGHTS,
    WRITER_RIGHTS,
)

ROOT = Path(__file__).parents[2]
FILES = ("compose.yaml", "compose.server.yaml")
VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<sort>[-?])(?P<word>[^}]*))?\}")
EXAMPLE = re.compile(r"^#?(?P<name>[A-Z_]+)=(?P<value>.*)$", re.MULTILINE)
FILLED = {
    "BASE_URL": "https://tally.example.com",
    "SECRET_KEY": Fernet.generate_key().decode(),
    "CLICKHOUSE_WRITER_PASSWORD": "a1",
    "CLICKHOUSE_READER_PASSWORD": "b2",
    "POSTGRES_PASSWORD": "c3",
    "VALKEY_PASSWORD": "d4",
    "METRICS_TOKEN": "e5" * 8,
}


def filled(text: str) -> str:
    """A compose file with the values of a filled-in `.env` in place of its variables."""

    def value(found: re.Match[str]) -> str:
        assert found["sort"] != "?" or FILLED.get(found["name"]), f"{found['name']} has to be filled in"
        return FILLED.get(found["name"], found["word"] or "")

    return VARIABLE.sub(value, text)


@cache
def services(name: str) -> dict[str, Any]:
    """The services of a file; one that extends another has what that one has."""
    found: dict[str, Any] = yaml.safe_load(filled((ROOT / name).read_text(encoding="utf-8")))["services"]
    for service in found.values():
        if of := service.pop("extends", None):
            below = services(of["file"])[of["service"]]
            service["environment"] = below["environment"] | service["environment"]
            service |= {key: value for key, value in below.items() if key not in service}
    return found


def environment(name: str) -> dict[str, str]:
    return dict(services(name)["tallyroom"]["environment"])


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_what_compose_knows_and_nothing_else(name: str) -> None:
    text = filled((ROOT / name).read_text(encoding="utf-8"))
    read = PyCompose.from_yaml(text)
    read.validate()
    assert set(read.service_names()) == set(services(name))
    with pytest.raises(ValueError, match="read_onli"):
        PyCompose.from_yaml(text.replace("restart:", "read_onli: true\n    restart:", 1))


@pytest.mark.parametrize("name", FILES)
def test_what_has_to_be_filled_in_is_in_the_example(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    examples = {found["name"] for found in EXAMPLE.finditer((ROOT / ".env.example").read_text(encoding="utf-8"))}
    assert {found["name"] for found in VARIABLE.finditer(text)} <= examples


def test_the_example_is_used_up_and_ends_no_secret() -> None:
    examples = {found["name"]: found["value"] for found in EXAMPLE.finditer((ROOT / ".env.example").read_text("utf-8"))}
    used = {found["name"] for name in FILES for found in VARIABLE.finditer((ROOT / name).read_text(encoding="utf-8"))}
    assert set(examples) == used
    assert {name for name in examples if name.endswith(("PASSWORD", "KEY", "TOKEN")) and examples[name]} == set()
    assert "/.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", FILES)
def test_the_environment_of_the_server_is_settings(name: str) -> None:
    known = {f"{PREFIX}{field.upper()}" for field in Settings.__struct_fields__}
    assert set(environment(name)) <= known
    assert ("TALLYROOM_DB_DSN" in environment(name)) is (name == "compose.server.yaml")


def test_the_numbers_of_the_workers_need_a_token() -> None:
    assert environment("compose.server.yaml")["TALLYROOM_METRICS_TOKEN"] == FILLED["METRICS_TOKEN"]
    assert "${METRICS_TOKEN:?" in (ROOT / "compose.server.yaml").read_text(encoding="utf-8")


def test_a_file_has_all_servers_or_none() -> None:
    assert not set(SERVER_SETTINGS) & set(environment("compose.yaml"))
    assert set(SERVER_SETTINGS) < set(environment("compose.server.yaml"))


@pytest.mark.parametrize("name", FILES)
def test_the_server_may_do_no_more_than_it_needs(name: str) -> None:
    service = services(name)["tallyroom"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "privileged" not in service
    assert service["ports"] == ["127.0.0.1:8480:8480"]
    assert {mount.split(":")[1] for mount in service["volumes"]} == {"/data", "/backups"}
    for each in services(name).values():
        assert "no-new-privileges:true" in each["security_opt"]


@pytest.mark.parametrize("name", FILES)
def test_a_stop_has_the_time_that_the_server_takes(name: str) -> None:
    requests_seconds = 10
    grace = int(services(name)["tallyroom"]["stop_grace_period"].removesuffix("s"))
    assert grace > Settings().stop_seconds + requests_seconds


@pytest.mark.parametrize("name", FILES)
def test_the_image_is_that_which_was_built_here(name: str) -> None:
    service = services(name)["tallyroom"]
    assert (service["image"], service["build"]) == ("tallyroom", ".")


def test_nobody_else_is_reached_from_outside_and_everybody_says_when_they_are_well() -> None:
    found = services("compose.server.yaml")
    others = {name: service for name, service in found.items() if name != "tallyroom"}
    assert set(others) == {"clickhouse", "postgres", "valkey"}
    assert not [name for name, service in others.items() if "ports" in service]
    assert not [name for name, service in others.items() if "healthcheck" not in service]
    assert found["tallyroom"]["depends_on"] == {name: {"condition": "service_healthy"} for name in others}


def test_each_image_has_a_version_of_which_only_repairs_come() -> None:
    images = {name: service["image"] for name, service in services("compose.server.yaml").items()}
    assert images["clickhouse"] == f"clickhouse/clickhouse-server:{MIN_VERSION[0]}.{MIN_VERSION[1]}"
    assert re.fullmatch(r"postgres:1[67]", images["postgres"])
    assert re.fullmatch(r"valkey/valkey:\d+\.\d+", images["valkey"])


def test_the_addresses_lead_to_the_services() -> None:
    found, given = services("compose.server.yaml"), environment("compose.server.yaml")
    server = read_event_server(given["TALLYROOM_EVENTS_DSN"], given["TALLYROOM_EVENTS_READER"])
    assert (server.host, server.port) == ("clickhouse", 8123)
    assert server.database == found["clickhouse"]["environment"]["CLICKHOUSE_DB"]
    assert (server.writer.user, server.reader.user) == ("tallyroom_writer", "tallyroom_reader")
    assert (server.writer.password, server.reader.password) == ("a1", "b2")
    assert given["TALLYROOM_DB_DSN"] == "postgresql://tallyroom:c3@postgres/tallyroom"
    assert given["TALLYROOM_LIMITS_DSN"] == "redis://:d4@valkey:6379/0"
    assert read_secret_files(given) == given


def test_postgresql_compares_text_as_bytes() -> None:
    arguments = services("compose.server.yaml")["postgres"]["environment"]["POSTGRES_INITDB_ARGS"]
    assert shlex.split(arguments) == ["--encoding=UTF8", "--locale=C"]


def granted(user: str) -> set[str]:
    """The rights of a user, one by one."""
    queries = parse(ROOT / "deploy/clickhouse/users.xml").iterfind(f"users/{user}/grants/query")
    found = [re.fullmatch(r"GRANT (?P<rights>.+) ON (?P<what>\S+)", query.text or "") for query in queries]
    return {f"{right} ON {each['what']}" for each in found if each for right in each["rights"].split(", ")}


@pytest.mark.parametrize(
    ("user", "needs"), [("tallyroom_writer", WRITER_RIGHTS + COLUMN_RIGHTS), ("tallyroom_reader", READER_RIGHTS)]
)
def test_a_user_has_exactly_the_rights_that_a_start_asks_for(user: str, needs: tuple[str, ...]) -> None:
    assert granted(user) == {right.format(database="tallyroom") for right in needs}


def test_each_user_has_a_password_of_the_environment_and_may_bring_limits() -> None:
    users = parse(ROOT / "deploy/clickhouse/users.xml").find("users")
    assert users is not None
    passwords = {user.tag: (user.find("password"), user.findtext("profile")) for user in users}
    given = services("compose.server.yaml")["clickhouse"]["environment"]
    for password, profile in passwords.values():
        assert password is not None
        assert given[password.attrib["from_env"]]
        assert profile == "default"
