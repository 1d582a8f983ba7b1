"""The pages that a browser sees."""
