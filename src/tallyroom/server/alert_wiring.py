"""Wires up the evaluation of alerts and the sending of messages to their channels."""

from typing import Any

from tallyroom.alerts.back_test.back_test import BackTester
from tallyroom.alerts.channel_types.destination import Destinations
from tallyroom.alerts.channels.deliveries import RETRIES_PER_MINUTE, DeliveryRetrier
from tallyroom.alerts.channels.service import TESTS_PER_MINUTE, AlertChannels
from tallyroom.alerts.delivery.handler import DeliveryHandler
from tallyroom.alerts.delivery.message_queue import MessageQueue
from tallyroom.alerts.delivery.messenger import Messenger
from tallyroom.alerts.evaluation.evaluation import AlertEvaluator
from tallyroom.alerts.evaluation.messages import AlertAnnouncer
from tallyroom.alerts.evaluation.outcomes import OutcomeWriter
from tallyroom.alerts.pictures import AlertPictures
from tallyroom.alerts.rules.preview import AlertPreviewer
from tallyroom.alerts.rules.resolution import IncidentResolver
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.images.renderer import Renderer
from tallyroom.server.services import Services


def build_alert_dependencies(services: Services, fetcher: GuardedFetcher, renderer: Renderer) -> dict[str, Any]:
    """Return what evaluates alerts and sends to their channels, by dependency name."""
    settings, database, clock, id_generator = services.settings, services.database, services.shared_clock, services.ids
    back_tests = BackTester(services.reader, clock, services.kept_answers)
    destinations = Destinations(services.vault, fetcher, settings.telegram_url)
    pictures = AlertPictures(renderer, settings.pictures_url)
    messenger = Messenger(fetcher, services.mailer, pictures, clock, settings.telegram_url)
    test_limit = services.limits.create_rate_limit("alert-channel-tests", TESTS_PER_MINUTE)
    retry_limit = services.limits.create_rate_limit("delivery-retries", RETRIES_PER_MINUTE)
    return {
        "alert_channels": AlertChannels(
            database, destinations, messenger, clock, id_generator, settings.public_url, test_limit
        ),
        "delivery_retries": DeliveryRetrier(database, clock, retry_limit),
        "delivery_handlers": [
            DeliveryHandler("delivery", database, destinations, messenger, clock),
            DeliveryHandler("mail_delivery", database, destinations, messenger, clock),
        ],
        "back_tests": back_tests,
        "alert_previews": AlertPreviewer(database, back_tests, services.reader),
        **_build_incident_dependencies(services, back_tests),
    }


def _build_incident_dependencies(services: Services, back_tests: BackTester) -> dict[str, Any]:
    database, clock, id_generator = services.database, services.shared_clock, services.ids
    message_queue = MessageQueue(clock, id_generator)
    announcer = AlertAnnouncer(back_tests, message_queue.enqueue, services.settings.public_url)
    outcome_writer = OutcomeWriter(database, announcer, id_generator)
    return {
        "alert_evaluator": AlertEvaluator(
            services.reader, database, outcome_writer, clock, services.settings.alert_seconds
        ),
        "alert_resolutions": IncidentResolver(database, services.reader, announcer, clock, id_generator),
    }
