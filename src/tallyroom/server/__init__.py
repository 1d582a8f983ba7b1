"""The server: builds every part, listens, routes requests, and stops without losing anything."""
