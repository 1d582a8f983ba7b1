"""Turns the errors of clickhouse-connect into the store's, wherever ClickHouse runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from clickhouse_connect.driver.exceptions import Error as DriverError

from tallyroom.storage.event_store.errors import StoreError


@contextmanager
def translate_driver_errors() -> Iterator[None]:
    """Turn errors into `StoreError`; one without a ClickHouse code means that ClickHouse was not reached."""
    try:
        yield
    except (DriverError, OSError) as error:
        raise StoreError(str(error)) from error
