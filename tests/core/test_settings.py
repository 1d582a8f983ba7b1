"""Read from the environment, checked one by one, told in a sentence."""

from ipaddress import ip_network
from pathlib import Path

import msgspec
import pytest
from cryptography.fernet import Fernet

from tallyroom.core.load_settings import SettingsError, describe_refusal, load_settings
from tallyroom.core.settings import SERVER_SETTINGS, Settings


def test_without_a_word_the_defaults_hold() -> None:
    settings = load_settings({"PATH": "/bin", "TALLYROOMISH": "x"})
    assert settings == Settings()
    assert (settings.host, settings.port, settings.data_dir) == ("127.0.0.1", 8480, Path("data"))


def test_each_setting_is_read_from_its_variable() -> None:
    environ = {
        "TALLYROOM_PORT": "0",
        "TALLYROOM_OPEN_SIGNUP": "true",
        "TALLYROOM_DEFAULT_PLAN": "free",
        "TALLYROOM_LOG_LEVEL": "debug",
        "TALLYROOM_TRUSTED_PROXIES": "10.0.0.0/8, ::1,",
        "TALLYROOM_OUTBOUND_ALLOW": "10.1.0.0/16,192.0.2.7",
        "TALLYROOM_DATA": "1",
    }
    settings = load_settings(environ)
    assert (settings.port, settings.open_signup, settings.default_plan, settings.log_level) == (
        0,
        True,
        "free",
        "debug",
    )
    assert settings.trusted_networks == [ip_network("10.0.0.0/8"), ip_network("::1")]
    assert settings.outbound_networks == [ip_network("10.1.0.0/16"), ip_network("192.0.2.7/32")]
    assert settings.data == "1"


def test_an_address_loses_the_slash_at_its_end() -> None:
    assert load_settings({"TALLYROOM_BASE_URL": "https://tally.example.com/"}).base_url == "https://tally.example.com"


def test_the_command_line_wins_and_what_it_does_not_say_does_not_count() -> None:
    environ = {"TALLYROOM_PORT": "1000", "TALLYROOM_HOST": "::1"}
    settings = load_settings(environ, port=2000, host=None)
    assert (settings.port, settings.host) == (2000, "::1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "abc"),
        ("PORT", ""),
        ("PORT", "-1"),
        ("PORT", "65536"),
        ("PORT", "80.5"),
        ("OPEN_SIGNUP", "perhaps"),
        ("LOG_LEVEL", "loud"),
        ("DEFAULT_PLAN", "gold"),
        ("FREE_EVENTS_PER_MONTH", "-1"),
        ("SPOOL_MAX_BYTES", "999999"),
        ("READ_CONNECTIONS", "0"),
        ("READ_CONNECTIONS", "65"),
        ("QUERY_SECONDS", "0"),
        ("BASE_URL", "tally.example.com"),
        ("BASE_URL", "https://tally.example.com/app"),
        ("BASE_URL", "https://tälly.example.com"),
        ("BASE_URL", "https://[::1"),
        ("BASE_URL", "https://tally.example.com\n"),
        ("STATS_URL", "ftp://stats.example.com"),
        ("STATS_URL", "https://:443"),
        ("WIDGETS_URL", "https://me@widgets.example.com"),
        ("STATS_PLATFORMS", "chat/bots"),
        ("STATS_PLATFORMS", "chat\n"),
        ("TRUSTED_PROXIES", "10.0.0.0/33"),
        ("TRUSTED_PROXIES", "proxy.example.com"),
        ("OUTBOUND_ALLOW", "10.0.0.0/33"),
        ("OUTBOUND_ALLOW", "reports.internal"),
        ("OUTBOUND_HTTP", "sometimes"),
    ],
)
def test_a_value_that_cannot_be_read_is_told_by_its_name(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({f"TALLYROOM_{name}": value})
    assert refused.value.message.startswith(f"TALLYROOM_{name}")
    assert "\n" not in refused.value.message


NUMBER = "a whole number from 0 to 65535"
ADDRESS = "an address without a path, such as https://tally.example.com"


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("FEED_CREATES", "yes", "true or false, not 'yes'"),
        ("DEFAULT_PLAN", "pro", "free or paid, not 'pro'"),
        ("DEFAULT_PLAN", "Paid", "free or paid, not 'Paid'; did you mean paid?"),
        ("LOG_LEVEL", "loud", "debug, error, info or warning, not 'loud'"),
        ("LOG_LEVEL", "WARN", "debug, error, info or warning, not 'WARN'; did you mean warning?"),
        ("PORT", "http", f"{NUMBER}, not 'http'"),
        ("PORT", "65536", f"{NUMBER}, not '65536'"),
        ("STOP_SECONDS", "-1", "a whole number of 0 or more, not '-1'"),
        ("SPOOL_MAX_BYTES", "1", "a whole number of 1000000 or more, not '1'"),
        ("BASE_URL", "tally.example.com", f"{ADDRESS}, not 'tally.example.com'"),
        ("STATS_URL", "https://a/b", f"{ADDRESS}, not 'https://a/b'"),
        ("WIDGETS_URL", "a", f"{ADDRESS}, not 'a'"),
        (
            "STATS_PLATFORMS",
            "Chat",
            "names of lowercase letters, digits and dashes, separated by commas, such as chat,discord, not 'Chat'",
        ),
    ],
)
def test_a_refused_value_is_told_what_the_setting_takes(name: str, value: str, told: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({f"TALLYROOM_{name}": value})
    end = "" if told.endswith("?") else "."
    assert refused.value.message == f"TALLYROOM_{name} must be {told}{end}"


def test_there_are_words_for_every_setting_that_can_be_refused() -> None:
    for field in msgspec.structs.fields(Settings):
        kind = msgspec.inspect.type_info(field.type)
        assert isinstance(kind, msgspec.inspect.Metadata)
        if not (isinstance(kind.type, msgspec.inspect.StrType) and kind.type.pattern is None):
            assert describe_refusal(Settings, field.name, "?").startswith("must be ")


@pytest.mark.parametrize(
    ("platforms", "told"),
    [
        ("chat,chat", "names chat more than once"),
        ("discord,chat,discord", "names discord more than once"),
    ],
)
def test_a_platform_is_named_once(platforms: str, told: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({"TALLYROOM_STATS_PLATFORMS": platforms})
    assert refused.value.message == f"TALLYROOM_STATS_PLATFORMS {told}."
    assert load_settings({"TALLYROOM_STATS_PLATFORMS": "chat,discord,v2"}).platforms == ["chat", "discord", "v2"]


def test_failpoints_are_for_tests_only() -> None:
    with pytest.raises(SettingsError, match="TALLYROOM_TESTING"):
        load_settings({"TALLYROOM_FAILPOINTS": "store.insert=error"})
    assert load_settings({"TALLYROOM_FAILPOINTS": "store.insert=error", "TALLYROOM_TESTING": "true"}).testing


ON_SERVERS = {
    "TALLYROOM_EVENTS_DSN": "clickhouse://writer:hidden@events/tallyroom",
    "TALLYROOM_EVENTS_READER": "reader:hidden",
    "TALLYROOM_DB_DSN": "postgresql://tallyroom:hidden@metadata/tallyroom",
    "TALLYROOM_LIMITS_DSN": "redis://:hidden@limits:6379/0",
    "TALLYROOM_SECRET_KEY": "A" * 43 + "=",
}


def test_all_data_may_be_on_servers() -> None:
    assert set(ON_SERVERS) > set(SERVER_SETTINGS)
    settings = load_settings(ON_SERVERS)
    assert (settings.db_dsn, settings.limits_dsn) == (ON_SERVERS[SERVER_SETTINGS[2]], ON_SERVERS[SERVER_SETTINGS[3]])
    assert settings.event_server is not None
    assert settings.event_server.address == "events:8123/tallyroom"
    assert load_settings(dict.fromkeys(SERVER_SETTINGS, "")).event_server is None


@pytest.mark.parametrize("name", SERVER_SETTINGS)
def test_a_server_alone_is_told_what_else_it_needs(name: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({name: ON_SERVERS[name]})
    others = [each for each in ON_SERVERS if each != name]
    assert refused.value.message == (
        f"{name} also requires {', '.join(others)}: either all data is on servers, or all of it is in the data "
        "directory (docs/howto/scale.md)."
    )


@pytest.mark.parametrize("name", ON_SERVERS)
def test_none_of_the_servers_may_be_missing(name: str) -> None:
    with pytest.raises(SettingsError, match=f" also requires {name}: either"):
        load_settings(ON_SERVERS | {name: ""})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("TALLYROOM_DB_DSN", "mysql://tallyroom:hidden@host/name", "must begin with postgresql://"),
        ("TALLYROOM_EVENTS_DSN", "http://writer:hidden@host/name", "must have the form clickhouse://"),
        ("TALLYROOM_EVENTS_READER", "writer:hidden", "must name a different user"),
    ],
)
def test_a_wrong_address_of_a_server_is_told_without_its_password(name: str, value: str, told: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings(ON_SERVERS | {name: value})
    assert f"{name} {told}" in refused.value.message
    assert "hidden" not in refused.value.message


@pytest.mark.parametrize(
    "token", ["short-hidden", "hidden with a blank in it", "hidden-\u00e9-0123456789", "hidden-0123456789\n"]
)
def test_a_weak_token_for_the_metrics_is_refused_without_it(token: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({"TALLYROOM_METRICS_TOKEN": token})
    assert "TALLYROOM_METRICS_TOKEN must be 16 or more visible ASCII characters" in refused.value.message
    assert "hidden" not in refused.value.message


@pytest.mark.parametrize("token", ["", "0123456789abcdef"])
def test_a_token_for_the_metrics_may_be_set(token: str) -> None:
    assert load_settings({"TALLYROOM_METRICS_TOKEN": token}).metrics_token == token


@pytest.mark.parametrize(("url", "secure"), [("", False), ("http://a", False), ("https://a", True)])
def test_https_makes_cookies_secure(url: str, secure: bool) -> None:
    assert Settings(base_url=url).is_https is secure


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({}, "http://127.0.0.1:8480"),
        ({"HOST": "::1", "PORT": "80"}, "http://[::1]:80"),
        ({"BASE_URL": "https://tally.example.com/", "PORT": "80"}, "https://tally.example.com"),
    ],
)
def test_links_in_mails_lead_to_the_server(environ: dict[str, str], url: str) -> None:
    assert load_settings({f"TALLYROOM_{name}": value for name, value in environ.items()}).public_url == url


def test_the_mail_server_is_read_with_the_sender() -> None:
    environ = {"TALLYROOM_SMTP_URL": "smtp://mail", "TALLYROOM_MAIL_FROM": "noreply@example.com"}
    server = load_settings(environ).mail_server
    assert server is not None
    assert (server.host, server.sender.addr_spec) == ("mail", "noreply@example.com")
    assert Settings().mail_server is None


@pytest.mark.parametrize(
    "environ",
    [
        {"TALLYROOM_SMTP_URL": "smtp://me:secret@"},
        {"TALLYROOM_SMTP_URL": "me:secret@mail"},
        {"TALLYROOM_SMTP_URL": "smtp://me:secret@mail"},
        {"TALLYROOM_SMTP_URL": "smtp://me:secret@mail", "TALLYROOM_MAIL_FROM": "nobody"},
    ],
)
def test_a_wrong_mail_server_is_told_without_its_password(environ: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=r"TALLYROOM_(SMTP_URL|MAIL_FROM)") as refusal:
        load_settings(environ)
    assert "secret" not in refusal.value.message


def test_keys_of_secrets_are_joined_by_commas() -> None:
    one, other = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    assert load_settings({"TALLYROOM_SECRET_KEY": f"{one}, {other},"}).secret_keys == [one, other]
    assert Settings().secret_keys == []


@pytest.mark.parametrize("wrong", ["secret", "s" * 43, "s" * 44 + "=", "schlüssel-secret", "secret\n"])
def test_a_wrong_key_of_secrets_is_told_without_it(wrong: str) -> None:
    with pytest.raises(SettingsError, match="TALLYROOM_SECRET_KEY: key 2 ") as refusal:
        load_settings({"TALLYROOM_SECRET_KEY": f"{Fernet.generate_key().decode()},{wrong}"})
    assert "secret" not in refusal.value.message
    assert wrong not in refusal.value.message
