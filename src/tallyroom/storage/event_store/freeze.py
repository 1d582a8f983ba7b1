"""Freezes the store in milliseconds, by hard links to every part, which take space once the store deletes its own."""

import shutil
from pathlib import Path

from tallyroom.storage.event_store.backend.embedded.pinned import pinned_path
from tallyroom.storage.event_store.migrate import LEDGER_TABLE
from tallyroom.storage.event_store.writer import Writer

_SHADOW = "shadow"  # ClickHouse's folder for frozen parts, inside the store's


def find_table_folders(writer: Writer, store_folder: Path) -> dict[str, Path]:
    """Map each table with rows, except the ledger of schema versions, to its folder below `store_folder`."""
    answer = writer.command(
        "SELECT name, data_paths[1] FROM system.tables WHERE database = currentDatabase()"
        f" AND engine LIKE '%MergeTree' AND name != '{LEDGER_TABLE}' ORDER BY name"
    )
    rows = (line.split("\t") for line in answer.splitlines())
    return {name: Path(folder).relative_to(pinned_path(store_folder)) for name, folder in rows}


def freeze(writer: Writer, store_folder: Path, freeze_name: str) -> dict[str, Path]:
    """Freeze every table under `freeze_name` (letters, digits, dashes); the caller must keep others from writing.

    Return each table's folder below `store_folder`, which is missing if it has no parts. `thaw` also undoes failures.
    """
    folder_by_table = find_table_folders(writer, store_folder)
    for table in folder_by_table:
        writer.command(f"ALTER TABLE `{table}` FREEZE WITH NAME '{freeze_name}'")
    return {table: Path(_SHADOW, freeze_name, folder) for table, folder in folder_by_table.items()}


def thaw(store_folder: Path) -> None:
    """Delete all frozen parts, including those that a crash left behind."""
    shutil.rmtree(store_folder / _SHADOW, ignore_errors=True)


def attach_detached_parts(writer: Writer, table: str) -> int:
    """Attach every detached part of a table, and return the rows that it then has; raises `StoreError`."""
    writer.command(f"ALTER TABLE `{table}` ATTACH PARTITION ALL")
    sql = "SELECT sum(rows) FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}"
    return int(writer.command(sql, {"table": table}))


def stop_merges(writer: Writer) -> None:
    """Stop merging parts until this process ends, so that their rows can be compared."""
    writer.command("SYSTEM STOP MERGES")
