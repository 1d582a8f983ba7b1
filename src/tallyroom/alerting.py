"""Builds what evaluates alerts and tells their channels; `alerts` knows neither channels nor what people do."""

from collections.abc import Sequence
from typing import Any

from tallyroom.alerts.back_test import BackTests
from tallyroom.alerts.evaluation import AlertEvaluator
from tallyroom.alerts.messages import AlertMessages
from tallyroom.alerts.outcomes import OutcomeWriter
from tallyroom.analytics.alert_channels.deliveries import RETRIES_PER_MINUTE, Retries
from tallyroom.analytics.alert_channels.service import TESTS_PER_MINUTE, AlertChannels
from tallyroom.analytics.alerts.preview import Previews
from tallyroom.analytics.alerts.resolution import Resolutions
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.db.connection import Session
from tallyroom.images.alerts import AlertPictures
from tallyroom.images.renderer import Renderer
from tallyroom.notify.destination import Destinations
from tallyroom.notify.message import AlertMessage
from tallyroom.notify.messenger import Messenger
from tallyroom.notify.outbox import DeliveryWorker, enqueue
from tallyroom.services import Services


def alerting_of(services: Services, fetcher: GuardedFetcher, renderer: Renderer) -> dict[str, Any]:
    """Return what evaluates alerts, and what tells their channels, by the names of dependencies."""
    settings, database, clock, ids = services.settings, services.database, services.shared_clock, services.ids
    back_tests = BackTests(services.reader, clock)
    destinations = Destinations(services.vault, fetcher, settings.telegram_url)
    pictures = AlertPictures(renderer, settings.pictures_url)
    messenger = Messenger(fetcher, services.mailer, pictures, clock, settings.telegram_url)
    tests = services.limits.window("alert-channel-tests", TESTS_PER_MINUTE)
    retries = services.limits.window("delivery-retries", RETRIES_PER_MINUTE)
    return {
        "alert_channels": AlertChannels(database, destinations, messenger, clock, ids, settings.public_url, tests),
        "delivery_retries": Retries(database, clock, retries),
        "delivery_worker": DeliveryWorker(database, destinations, messenger, clock, ids),
        "back_tests": back_tests,
        "alert_previews": Previews(database, back_tests, services.reader),
        **_incidents(services, back_tests),
    }


def _incidents(services: Services, back_tests: BackTests) -> dict[str, Any]:
    """Return what begins and ends incidents: the evaluation, and people."""
    database, clock, ids = services.database, services.shared_clock, services.ids

    async def tell(db: Session, channel_ids: Sequence[str], message: AlertMessage) -> None:
        await enqueue(db, channel_ids, message, clock.now_ms(), ids)

    messages = AlertMessages(back_tests, tell, services.settings.public_url)
    writer = OutcomeWriter(database, messages, ids)
    return {
        "alert_evaluator": AlertEvaluator(services.reader, database, writer, clock, services.settings.alert_seconds),
        "alert_resolutions": Resolutions(database, messages, clock, ids),
    }
