"""Events of a Telegram bot in two lines, with aiogram from 3.0 on.

```python
from tallyroom_client.aiogram import attach

attach(dispatcher)
```
"""

from tallyroom_client.aiogram.attachment import Attached, attach

__all__ = ["Attached", "attach"]
