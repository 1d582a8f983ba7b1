"""Events of a Discord bot in two lines, with discord.py, py-cord, nextcord, disnake or hikari.

```python
from tallyroom_client.discord import attach

attach(bot)
```
"""

from tallyroom_client.discord.attach import attach
from tallyroom_client.discord.attached import Attached

__all__ = ["Attached", "attach"]
