"""The product beside itself: the same code with another web app, or with none, as where Node is not installed."""

from pathlib import Path

import tallyroom

_UI = Path("server", "ui")
_BUILT = "static"


def checkout(folder: Path, files: dict[str, bytes] | None) -> Path:
    """Lay the product out in a new folder, which is for PYTHONPATH, with these files as its built web app."""
    product = Path(tallyroom.__file__).parent
    copy = folder / "tallyroom"
    (copy / _UI).mkdir(parents=True)
    folders = (product, product / _UI.parent, product / _UI)
    for entry in (entry for folder in folders for entry in folder.iterdir()):
        target = copy / entry.relative_to(product)
        if entry.name != _BUILT and not target.exists():
            target.symlink_to(entry)
    for name, body in (files or {}).items():
        file = copy / _UI / _BUILT / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
    return folder
