"""An operator who looks into the metadata of the workers, and changes it."""

from harness.stores.metadata_operator import operator

__all__ = ["operator"]
