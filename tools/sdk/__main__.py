"""``python -m tools.sdk [FOLDER]``: builds the client's packages into a folder, checks them and tries them."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.sdk.environments import list_pythons, try_wheel
from tools.sdk.packages import build_packages, check_packages


def main(folder: Path) -> None:
    packages = build_packages(folder)
    check_packages(packages)
    for python in list_pythons():
        with TemporaryDirectory() as scratch:
            version = try_wheel(packages[-1], python, Path(scratch))
        sys.stdout.write(f"an event arrived from Python {version}\n")
    sys.stdout.writelines(f"{package}\n" for package in packages)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve())
