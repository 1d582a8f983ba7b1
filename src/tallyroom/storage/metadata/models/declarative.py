"""The base of all tables: one metadata object, and names for constraints that a migration can rely on."""

from sqlalchemy import BigInteger, MetaData
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
