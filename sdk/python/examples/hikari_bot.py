"""A small bot of hikari, with its events in Tallyroom.

pip install tallyroom-client hikari
export DISCORD_TOKEN=… TALLYROOM_URL=… TALLYROOM_KEY=…
python hikari_bot.py
"""

import os

import hikari

from tallyroom_client.discord import attach


async def answer(event: hikari.InteractionCreateEvent) -> None:
    """Answer `/tea`."""
    if isinstance(event.interaction, hikari.CommandInteraction):
        await event.interaction.create_initial_response(hikari.ResponseType.MESSAGE_CREATE, "Tea is ready.")


async def register(event: hikari.StartingEvent) -> None:
    """Register the command at Discord."""
    rest = event.app.rest
    application = await rest.fetch_application()
    await rest.set_application_commands(application, [rest.slash_command_builder("tea", "Says when tea is ready")])


def build_bot(token: str) -> hikari.GatewayBot:
    """Return the bot with its events attached."""
    bot = hikari.GatewayBot(token, intents=hikari.Intents.GUILDS)
    bot.subscribe(hikari.StartingEvent, register)
    bot.subscribe(hikari.InteractionCreateEvent, answer)
    attach(bot)
    return bot


if __name__ == "__main__":
    build_bot(os.environ["DISCORD_TOKEN"]).run()
