"""`shard_disconnect` and `shard_resume`."""

from collections.abc import Callable

from tallyroom_client.discord.recorder import Recorder


class Shards:
    """Follows the connections of a process; `clock` is in seconds."""

    def __init__(self, recorder: Recorder, clock: Callable[[], float]) -> None:
        self._recorder = recorder
        self._clock = clock
        self._down_since: dict[int, float] = {}

    def disconnect(self, shard_id: int, code: int | None = None) -> None:
        """Send `shard_disconnect` once, however often the library fails to connect again."""
        if shard_id in self._down_since:
            return
        self._down_since[shard_id] = self._clock()
        self._recorder.record("shard_disconnect", {"shard_id": shard_id, "code": code}, shard_id=shard_id)

    def connect(self, shard_id: int) -> None:
        """Send `shard_resume` if the shard was down, whether its session goes on or a new one begins."""
        down_since = self._down_since.pop(shard_id, None)
        if down_since is None:
            return
        seconds_down = round(self._clock() - down_since, 1)
        self._recorder.record("shard_resume", {"shard_id": shard_id, "seconds_down": seconds_down}, shard_id=shard_id)
