"""A small bot of aiogram, with its events in Tallyroom.

pip install tallyroom-client aiogram
export TELEGRAM_TOKEN=… TALLYROOM_URL=… TALLYROOM_KEY=…
python telegram_bot.py
"""

import asyncio
import os

from aiogram import Bot, Dispatcher
from aiogram.filters import Command, CommandObject, CommandStart
from aiogram.types import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message

from tallyroom_client.aiogram import attach

TEAS = {"green": 70, "black": 95, "mint": 100}
AGAIN = InlineKeyboardMarkup(
    inline_keyboard=[[InlineKeyboardButton(text="All teas", callback_data="tea:all")]],
)


async def start(message: Message) -> None:
    """Answer `/start`."""
    await message.answer("Ask me with /brew how to brew a tea.", reply_markup=AGAIN)


async def brew(message: Message, command: CommandObject) -> None:
    """Answer `/brew`; a tea that nobody knows is an error, which Tallyroom counts."""
    tea = command.args or "green"
    await message.answer(f"Brew {tea} at {TEAS[tea]} °C.")


async def list_teas(query: CallbackQuery) -> None:
    """Answer the button."""
    await query.answer(", ".join(TEAS))


def build_dispatcher() -> Dispatcher:
    """Return the handlers of the bot, with its events attached."""
    dispatcher = Dispatcher()
    dispatcher.message.register(start, CommandStart())
    dispatcher.message.register(brew, Command("brew"))
    dispatcher.callback_query.register(list_teas)
    attach(dispatcher)
    return dispatcher


if __name__ == "__main__":
    asyncio.run(build_dispatcher().start_polling(Bot(os.environ["TELEGRAM_TOKEN"])))
