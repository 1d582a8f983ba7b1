"""`tallyroom doctor`."""

import os
import sys
from functools import partial
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console

from tallyroom.cli.backup import DataOption, report_in_one_sentence, show_progress_bars
from tallyroom.core.clock import SystemClock
from tallyroom.core.load_settings import load_settings
from tallyroom.operations.control_socket.reach import connect_to_server, open_store_access
from tallyroom.operations.doctor.findings import Finding
from tallyroom.operations.doctor.one_server import examine_server
from tallyroom.operations.doctor.workers import examine_workers

_COLOUR_BY_STATE = {"ok": "green", "warning": "yellow", "broken": "red"}


def doctor(
    *,
    data: DataOption = None,
    quick: Annotated[bool, Parameter(help="Skip the checks that read all data.", negative="")] = False,
    json: Annotated[bool, Parameter(help="Write the findings as JSON.", negative="")] = False,
) -> None:
    """Check the installation, and suggest how to fix what is wrong.

    With the settings of several workers, this checks their servers, the spools of this host, and what the workers of
    other hosts report. The exit status is 1 if something is broken.
    """
    settings, clock = load_settings(os.environ, data=data), SystemClock()
    findings = []
    with report_in_one_sentence(""), show_progress_bars() as progress:
        if settings.db_dsn:
            examination = examine_workers(connect_to_server, settings, clock, progress, quick=quick)
        else:
            open_access = partial(open_store_access, settings.data_dir, clock, settle_open_claim=False)
            examination = examine_server(open_access, settings, clock, progress, quick=quick)
        for finding in examination:
            findings.append(finding)
            if not json:
                _show_finding(finding)
    is_healthy = all(finding.state != "broken" for finding in findings)
    if json:
        report = msgspec.json.encode({"ok": is_healthy, "findings": findings})
        sys.stdout.write(msgspec.json.format(report).decode() + "\n")
    sys.exit(0 if is_healthy else 1)


def _show_finding(finding: Finding) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{finding.state:8}", style=_COLOUR_BY_STATE[finding.state], end="")
    console.print(f"{finding.subject:10}{finding.text}", markup=False)
    if finding.advice:
        console.print(f"{'':18}→ {finding.advice}", markup=False)
