"""Pictures of numbers: the drawing, its SVG and its PNG. Nothing here knows about requests (rules/pictures#lines)."""
