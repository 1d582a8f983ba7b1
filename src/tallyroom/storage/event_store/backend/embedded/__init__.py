"""ClickHouse inside this process, through chDB, with its data in a folder that only this process holds."""
