"""`tallyroom` with one more kind of widget (harness/builders/toy_kind.py)."""

from harness.builders.toy_kind import PULSE
from tallyroom.cli.main import main
from tallyroom.dashboards.registry import KINDS

if __name__ == "__main__":
    KINDS[PULSE.name] = PULSE
    main()
