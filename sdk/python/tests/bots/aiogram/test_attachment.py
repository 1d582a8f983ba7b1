"""`tallyroom_client.aiogram` with aiogram's own dispatcher: Telegram is a test."""

import json
from typing import Any

import pytest
from aiogram import Bot, Dispatcher, Router
from aiogram.dispatcher.event.bases import SkipHandler
from aiogram.filters import Command
from aiogram.types import CallbackQuery, ErrorEvent, Message
from sdk.python.tests.bots.examples import load_example
from sdk.python.tests.bots.tracker import FailingTracker, KeepingTracker

from tallyroom_client.aiogram import attach

BOT_ID = 42
USER = {"id": 7_000_000_001, "is_bot": False, "first_name": "CANARY1", "username": "robin", "language_code": "de"}
GROUP = {"id": -1_001_000_000_001, "type": "supergroup", "title": "Tea House"}
PRIVATE = {"id": USER["id"], "type": "private", "first_name": "CANARY2", "username": "robin"}
MODULE = __name__


class Scene:
    """A dispatcher with a router of handlers, and what they did."""

    def __init__(self) -> None:
        self.bot = Bot(f"{BOT_ID}:token")
        self.dispatcher = Dispatcher()
        self.tracker = KeepingTracker()
        self.ran: list[str] = []
        self.router = Router()
        self.dispatcher.include_router(self.router)
        self._update_id = 0

    async def receive(self, **update: Any) -> Any:
        self._update_id += 1
        return await self.dispatcher.feed_raw_update(self.bot, {"update_id": self._update_id, **update})

    async def say(self, text: str, chat: dict[str, Any] = GROUP) -> Any:
        entities = (
            [{"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}] if text[0] == "/" else []
        )
        message = {"message_id": 1, "date": 1, "chat": chat, "from": USER, "text": text, "entities": entities}
        return await self.receive(message=message)

    async def press(self, callback_data: str) -> Any:
        message = {"message_id": 1, "date": 1, "chat": GROUP, "text": "CANARY3"}
        query = {"id": "1", "from": USER, "chat_instance": "1", "data": callback_data, "message": message}
        return await self.receive(callback_query=query)

    async def change(self, old: str, new: str, chat: dict[str, Any]) -> Any:
        bot = {"id": BOT_ID, "is_bot": True, "first_name": "Teapot"}
        until = {"until_date": 0}
        members = {
            "old_chat_member": {"status": old, "user": bot, **(until if old == "kicked" else {})},
            "new_chat_member": {"status": new, "user": bot, **(until if new == "kicked" else {})},
        }
        return await self.receive(my_chat_member={"chat": chat, "from": USER, "date": 1, **members})


@pytest.fixture
def scene() -> Scene:
    scene = Scene()

    @scene.router.message(Command("order"))
    async def order(message: Message) -> None:
        scene.ran.append("order")

    @scene.router.message(Command("fail"))
    async def fail(message: Message) -> None:
        scene.ran.append("fail")
        raise ValueError("CANARY4")

    @scene.router.callback_query()
    async def press(query: CallbackQuery) -> None:
        scene.ran.append("press")

    return scene


async def test_a_command_has_its_chat_and_how_long_it_took(scene: Scene) -> None:
    attach(scene.dispatcher, scene.tracker)
    await scene.say("/order CANARY5")
    event = scene.tracker.only("command_used")
    properties = dict(event.properties)
    assert properties.pop("duration_ms") >= 0
    assert (event.actor, event.label, event.source) == (str(USER["id"]), None, f"telegram:{BOT_ID}")
    assert properties == {
        "command": "order",
        "locale": "de",
        "chat_id": str(GROUP["id"]),
        "chat_type": "supergroup",
        "chat_title": "Tea House",
    }
    assert scene.ran == ["order"]


async def test_what_no_command_filter_took_is_no_command(scene: Scene) -> None:
    @scene.router.message()
    async def echo(message: Message) -> None:
        scene.ran.append("echo")

    attach(scene.dispatcher, scene.tracker)
    await scene.say("/CANARY6")
    await scene.say("CANARY7")
    assert (scene.ran, scene.tracker.events) == (["echo", "echo"], [])


async def test_a_command_that_passes_the_update_on_did_not_use_it(scene: Scene) -> None:
    @scene.dispatcher.message(Command("order"))
    async def skip(message: Message) -> None:
        scene.ran.append("skip")
        raise SkipHandler

    attach(scene.dispatcher, scene.tracker)
    await scene.say("/order")
    assert scene.ran == ["skip", "order"]
    assert scene.tracker.names() == ["command_used"]


async def test_a_button_is_named_without_what_varies(scene: Scene) -> None:
    attach(scene.dispatcher, scene.tracker, labels=True)
    await scene.press("buy:CANARY8")
    event = scene.tracker.only("component_used")
    assert (event.label, event.properties["custom_id"]) == ("robin", "buy")


async def test_an_error_is_raised_again_and_counted_once(scene: Scene) -> None:
    attach(scene.dispatcher, scene.tracker)
    with pytest.raises(ValueError, match="CANARY4"):
        await scene.say("/fail", PRIVATE)
    assert scene.tracker.names() == ["command_used", "bot_error"]
    properties = dict(scene.tracker.only("bot_error").properties)
    assert properties.pop("where").startswith(f"{MODULE}:")
    assert properties == {
        "command": "fail",
        "update": "message",
        "type": "ValueError",
        "chat_id": str(PRIVATE["id"]),
        "chat_type": "private",
    }
    assert "CANARY" not in json.dumps(scene.tracker.events)


async def test_error_handlers_are_called_as_before(scene: Scene) -> None:
    handled: list[Exception] = []

    @scene.dispatcher.error()
    async def on_error(event: ErrorEvent) -> None:
        handled.append(event.exception)

    attach(scene.dispatcher, scene.tracker, error_messages=True)
    await scene.say("/fail")
    assert [type(error) for error in handled] == [ValueError]
    assert scene.tracker.only("bot_error").properties["message"] == "CANARY4"


@pytest.mark.parametrize(
    ("old", "new", "chat", "name"),
    [
        ("left", "member", GROUP, "bot_added"),
        ("kicked", "member", GROUP, "bot_added"),
        ("member", "left", GROUP, "bot_kicked"),
        ("member", "kicked", GROUP, "bot_kicked"),
        ("member", "kicked", PRIVATE, "bot_blocked"),
        ("kicked", "member", PRIVATE, "bot_unblocked"),
    ],
)
async def test_the_place_of_the_bot_in_a_chat(scene: Scene, old: str, new: str, chat: Any, name: str) -> None:
    attach(scene.dispatcher, scene.tracker)
    await scene.change(old, new, chat)
    event = scene.tracker.only(name)
    assert (event.actor, event.properties["chat_id"]) == (str(USER["id"]), str(chat["id"]))


async def test_handlers_of_the_membership_still_run(scene: Scene) -> None:
    @scene.router.my_chat_member()
    async def changed(event: Any) -> None:
        scene.ran.append("changed")

    attach(scene.dispatcher, scene.tracker)
    await scene.change("left", "member", GROUP)
    assert (scene.ran, scene.tracker.names()) == (["changed"], ["bot_added"])


async def test_telegram_is_asked_for_the_membership_while_attached(scene: Scene) -> None:
    before = scene.dispatcher.resolve_used_update_types()
    attached = attach(scene.dispatcher, scene.tracker)
    assert set(scene.dispatcher.resolve_used_update_types()) == {*before, "my_chat_member"}
    attached.detach()
    attached.detach()
    assert scene.dispatcher.resolve_used_update_types() == before
    await scene.say("/order")
    assert (scene.ran, scene.tracker.events) == (["order"], [])


async def test_messages_are_sent_only_on_request(scene: Scene) -> None:
    attached = attach(scene.dispatcher, scene.tracker)
    await scene.say("CANARY9")
    assert scene.tracker.events == []
    attached.detach()
    attach(scene.dispatcher, scene.tracker, messages=True)
    await scene.say("CANARY9")
    assert scene.tracker.only("message_sent").properties == {
        "chat_id": str(GROUP["id"]),
        "chat_type": "supergroup",
        "chat_title": "Tea House",
    }


async def test_attaching_twice_counts_once_and_returns_the_same(scene: Scene) -> None:
    attached = attach(scene.dispatcher, scene.tracker)
    assert attach(scene.dispatcher) is attached
    await scene.say("/order")
    assert scene.tracker.names() == ["command_used"]


async def test_a_client_that_raises_does_not_stop_an_update(scene: Scene) -> None:
    attach(scene.dispatcher, FailingTracker())
    await scene.say("/order")
    assert scene.ran == ["order"]


async def test_the_example_runs(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    program, tracker = load_example("telegram_bot", "aiogram.attachment", monkeypatch)
    answers: list[str] = []

    async def answer(_event: Any, text: str, **_: Any) -> None:
        answers.append(text)

    monkeypatch.setattr("aiogram.types.Message.answer", answer)
    monkeypatch.setattr("aiogram.types.CallbackQuery.answer", answer)
    scene.dispatcher = program.build_dispatcher()
    await scene.say("/start")
    await scene.say("/brew black")
    await scene.press("tea:all")
    with pytest.raises(KeyError):
        await scene.say("/brew nettle")
    assert answers[1:] == ["Brew black at 95 °C.", "green, black, mint"]
    assert tracker.names() == ["command_used", "command_used", "component_used", "command_used", "bot_error"]
