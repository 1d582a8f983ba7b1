"""The light colors and the typeface of mails, for their inline styles; `page.html` has the dark colors."""

from typing import Final

INK_COLOR: Final = "#18181b"
SOFT_COLOR: Final = "#5b5b66"
LINE_COLOR: Final = "#e6e6ea"
CARD_COLOR: Final = "#ffffff"
TRACK_COLOR: Final = "#f1f1f3"
BAR_COLOR: Final = "#2f72f4"
GOOD_COLOR: Final = "#047857"
BAD_COLOR: Final = "#b91c1c"
WARNING_COLOR: Final = "#a34a08"

FONT_FAMILY: Final = "Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

TABLE_ATTRIBUTES: Final = 'cellpadding="0" cellspacing="0" border="0"'
LAYOUT_ATTRIBUTES: Final = f'role="presentation" {TABLE_ATTRIBUTES}'
"""For a table that only arranges its cells."""
