"""What another process has open is left as it is."""

from pathlib import Path

from harness.servers.child import run_child

CODE = """
import subprocess, sys
from pathlib import Path
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.writer import Writer

store = Path(sys.argv[1])
block = store.with_name(f"{store.name}.insert")
if len(sys.argv) == 2:
    writer = Writer(EmbeddedBackend(store))
    block.write_bytes(b"a block that is being inserted")
    subprocess.run([sys.executable, "-c", Path(sys.argv[1] + ".py").read_text(), sys.argv[1], "second"], check=True)
    print(block.exists())
    writer.close()
    Writer(EmbeddedBackend(store)).close()
    print(block.exists())
else:
    try:
        Writer(EmbeddedBackend(store))
    except StoreError:
        sys.exit(0)
    sys.exit("it was not refused")
"""


def test_who_is_refused_leaves_the_others_block_alone_and_who_is_not_clears_up(tmp_path: Path) -> None:
    (tmp_path / "events.py").write_text(CODE)
    assert run_child(CODE, tmp_path / "events").stdout.split() == ["True", "False"]
