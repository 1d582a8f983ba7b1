"""A small bot of discord.py, with its events in Tallyroom.

pip install tallyroom-client discord.py
export DISCORD_TOKEN=… TALLYROOM_URL=… TALLYROOM_KEY=…
python discord_bot.py
"""

import os
import random

import discord
from discord import app_commands

from tallyroom_client.discord import attach

TEAS = {"green": 70, "black": 95, "mint": 100}


class Again(discord.ui.View):
    """A button that picks another tea; its id survives a restart of the bot."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Another one", custom_id="tea:again")
    async def again(self, interaction: discord.Interaction, _button: discord.ui.Button["Again"]) -> None:
        """Answer a press."""
        await interaction.response.send_message(pick_tea(), view=self)


class TeaBot(discord.Client):
    """Says which tea to drink, and how hot the water must be."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(app_commands.Command(name="tea", description="Picks a tea", callback=answer_tea))
        self.tree.add_command(app_commands.Command(name="brew", description="How to brew a tea", callback=answer_brew))

    async def setup_hook(self) -> None:
        """Register the commands at Discord, and the button of earlier answers."""
        self.add_view(Again())
        await self.tree.sync()


async def answer_tea(interaction: discord.Interaction) -> None:
    """Answer `/tea`."""
    await interaction.response.send_message(pick_tea(), view=Again())


async def answer_brew(interaction: discord.Interaction, tea: str) -> None:
    """Answer `/brew`; a tea that nobody knows is an error, which Tallyroom counts."""
    await interaction.response.send_message(f"Brew {tea} at {TEAS[tea]} °C.")


def pick_tea() -> str:
    """Return a sentence about any tea."""
    return f"How about a cup of {random.choice(list(TEAS))} tea?"  # noqa: S311 # no secret depends on it


def build_bot() -> TeaBot:
    """Return the bot with its events attached; the address of a public dashboard adds `/stats`."""
    bot = TeaBot()
    attached = attach(bot)
    dashboard = os.environ.get("TALLYROOM_DASHBOARD")
    if dashboard:
        attached.command(bot.tree, dashboard=dashboard)
    return bot


if __name__ == "__main__":
    build_bot().run(os.environ["DISCORD_TOKEN"])
