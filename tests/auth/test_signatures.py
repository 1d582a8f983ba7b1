"""A webhook is its bot's when its signature is by the secret that a workspace set, and of now."""

from typing import Any

import pytest
from cryptography.fernet import Fernet

from harness.builders.listing import bare_bot, signature
from tallyroom.auth.principals import StatsPrincipal, StatsScope
from tallyroom.auth.repository import _FIND_SECRETS
from tallyroom.auth.signatures import WebhookAuthenticator, compute_signature
from tallyroom.auth.stats_tokens import StatsRefused
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Bot

BOT, OTHER_BOT = "264811613708746752", "264811613708746753"
SECRET, OTHER_SECRET = "whs_a secret of acme", "whs_another"
BODY = '{"type":"vote.create","grüße":1}'.encode()


@pytest.fixture
async def listed(database: Database, vault: Vault) -> None:
    """Both workspaces list the bot, each with a secret of its own; acme has one more bot that has no secret."""
    async with database.session(write=True) as db:
        db.add(bare_bot("acme", BOT, webhook_secret=vault.encrypt(SECRET)))
        db.add(bare_bot("other", BOT, webhook_secret=vault.encrypt(OTHER_SECRET)))
        db.add(bare_bot("acme", OTHER_BOT))


def now_s(clock: Any, later: int = 0) -> int:
    return int(clock.now_ms() // 1000 + later)


@pytest.mark.parametrize(("secret", "workspace_id"), [(SECRET, "acme"), (OTHER_SECRET, "other")])
@pytest.mark.usefixtures("listed")
async def test_the_secret_decides_the_workspace(
    signatures: WebhookAuthenticator, fake_clock: Any, secret: str, workspace_id: str
) -> None:
    sent = signature(secret, now_s(fake_clock), BODY)
    found = await signatures.authenticate(BOT, sent, BODY)
    assert found == StatsPrincipal("", workspace_id, StatsScope.BOT, BOT)


def test_the_form_is_an_hmac_over_time_and_body() -> None:
    """As `printf '1.x' | openssl dgst -sha256 -hmac key` says it."""
    digest = "fc4913c41a7bf793267e2a384f3261c9436ec2cd097bd745e7b0d99113f510ec"
    assert compute_signature("key", "1", b"x") == digest
    assert signature("key", 1, b"x") == f"t=1,v1={digest}"


@pytest.mark.parametrize("age_s", [0, 86_400, -300])
@pytest.mark.usefixtures("listed")
async def test_it_holds_for_a_day_and_five_minutes_ahead(
    signatures: WebhookAuthenticator, fake_clock: Any, age_s: int
) -> None:
    sent = signature(SECRET, now_s(fake_clock, -age_s), BODY)
    assert (await signatures.authenticate(BOT, sent, BODY)).workspace_id == "acme"


@pytest.mark.parametrize("age_s", [86_401, -301, 10**9])
@pytest.mark.usefixtures("listed")
async def test_what_is_older_or_further_ahead_is_refused(
    signatures: WebhookAuthenticator, fake_clock: Any, age_s: int
) -> None:
    with pytest.raises(StatsRefused):
        await signatures.authenticate(BOT, signature(SECRET, now_s(fake_clock, -age_s), BODY), BODY)


@pytest.mark.parametrize(
    "change",
    [
        lambda sent: "",
        lambda sent: sent.replace("v1=", "v2="),
        lambda sent: sent.replace(",", ", "),
        lambda sent: sent.replace("t=", "t=-"),
        lambda sent: sent.replace("t=1", "t=２"),
        lambda sent: sent.replace("t=1", "t=2"),
        lambda sent: sent[:-1],
        lambda sent: sent[:-1] + ("0" if sent[-1] != "0" else "1"),
        lambda sent: sent + "0",
        lambda sent: sent + "\n",
        lambda sent: sent + "," + sent,
        lambda sent: "t=" + "9" * 5000 + ",v1=" + "0" * 64,
    ],
)
@pytest.mark.usefixtures("listed")
async def test_a_wrong_signature_is_refused(signatures: WebhookAuthenticator, fake_clock: Any, change: Any) -> None:
    sent = signature(SECRET, now_s(fake_clock), BODY)
    with pytest.raises(StatsRefused):
        await signatures.authenticate(BOT, change(sent), BODY)


@pytest.mark.usefixtures("listed")
async def test_it_is_for_its_body_its_bot_and_its_secret(signatures: WebhookAuthenticator, fake_clock: Any) -> None:
    at = now_s(fake_clock)
    for bot_id, secret, signed in [
        (BOT, SECRET, BODY + b" "),
        (BOT, "whs_guessed", BODY),
        (OTHER_BOT, SECRET, BODY),
        (OTHER_BOT, "", BODY),
        ("264811613708746754", SECRET, BODY),
        ("x", SECRET, BODY),
    ]:
        with pytest.raises(StatsRefused):
            await signatures.authenticate(bot_id, signature(secret, at, signed), BODY)


@pytest.mark.usefixtures("listed")
async def test_a_secret_that_no_key_opens_hides_no_other(
    database: Database, vault: Vault, fake_clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    stranger = Vault([Fernet.generate_key().decode()])
    async with database.session(write=True) as db:
        bot = await db.get_one(Bot, ("acme", BOT))
        bot.webhook_secret = stranger.encrypt(SECRET)
    signatures, at = WebhookAuthenticator(database, vault, fake_clock), now_s(fake_clock)
    assert (await signatures.authenticate(BOT, signature(OTHER_SECRET, at, BODY), BODY)).workspace_id == "other"
    with pytest.raises(SecretUnreadable):
        await signatures.authenticate(BOT, signature(SECRET, at, BODY), BODY)
    assert "cannot be read" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.usefixtures("listed")
async def test_the_oldest_workspace_wins_when_both_have_the_secret(
    signatures: WebhookAuthenticator, database: Database, vault: Vault, fake_clock: Any
) -> None:
    async with database.session(write=True) as db:
        bot = await db.get_one(Bot, ("other", BOT))
        bot.webhook_secret = vault.encrypt(SECRET)
    sent = signature(SECRET, now_s(fake_clock), BODY)
    assert (await signatures.authenticate(BOT, sent, BODY)).workspace_id == "acme"


@pytest.mark.usefixtures("listed")
async def test_no_look_through_all_bots(signatures: WebhookAuthenticator, database: Database, fake_clock: Any) -> None:
    """Whoever sends a false signature must not make the server read every bot there is."""
    with pytest.raises(StatsRefused):
        await signatures.authenticate(BOT, signature("whs_guessed", now_s(fake_clock), BODY), BODY)
    plan = await database.look_up_all(f"EXPLAIN QUERY PLAN {_FIND_SECRETS}", BOT)
    assert "SEARCH bots USING INDEX ix_bots_id_with_secret" in str(plan)
