"""The base of all tables: one metadata object, and names for constraints that a migration can rely on."""

from typing import Any

from sqlalchemy import BigInteger, Connection, Index, MetaData, event, text
from sqlalchemy.orm import DeclarativeBase


class Model(DeclarativeBase):
    """A row of the metadata database. IDs are UUID text, times are milliseconds since 1970-01-01 UTC."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {int: BigInteger()}  # noqa: RUF012 # SQLAlchemy reads it as a plain class attribute


def build_partial_index(name: str, column: str, condition: str, *, is_unique: bool = False) -> Index:
    """Return an index of the rows that meet a condition in SQL, on both databases."""
    return Index(name, column, unique=is_unique, sqlite_where=text(condition))


@event.listens_for(Model.metadata, "before_create")
def _set_conditions(metadata: MetaData, connection: Connection, **_: Any) -> None:
    """Set the conditions of indexes for PostgreSQL; earlier, this would load its dialect in every process, in 20 ms."""
    if connection.dialect.name == "postgresql":
        for index in (index for table in metadata.tables.values() for index in table.indexes):
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]
