"""The rows of a listing, as files and other listings have them."""
