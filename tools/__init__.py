"""Tools for those who work on Tallyroom; none is part of the product."""
