"""The web app and its pictures in a browser."""
