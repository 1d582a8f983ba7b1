"""Pictures of numbers: what is drawn, as SVG, as PNG. Nothing here knows of requests (rules/pictures#lines)."""
