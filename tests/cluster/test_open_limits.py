"""Where the limits are is a matter of one setting."""

from typing import Any

import pytest

from harness.stores.peers import FewPeers
from tallyroom.cluster import open_limits as opening
from tallyroom.cluster.open_limits import open_limits
from tallyroom.cluster.redis.shared_limits import SharedLimits
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.limits.local import LocalLimits


def test_a_server_or_the_memory(fake_clock: Any) -> None:
    assert isinstance(open_limits("", fake_clock, FewPeers()), LocalLimits)
    assert isinstance(open_limits("valkey://host", fake_clock, FewPeers()), SharedLimits)


def test_without_the_client_it_says_what_to_install(fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "find_spec", lambda _: None)
    with pytest.raises(TallyroomError, match="the `cluster` extra"):
        open_limits("redis://host", fake_clock, FewPeers())
    assert isinstance(open_limits("", fake_clock, FewPeers()), LocalLimits)
