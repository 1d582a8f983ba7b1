"""Elements of mails: a button, and a picture for each theme. All arguments are HTML already."""

from tallyroom.mail.html.styles import INK_COLOR, LAYOUT_ATTRIBUTES, SOFT_COLOR


def build_button_html(url_html: str, label_html: str, *, align: str) -> str:
    """Return a link as a button; Outlook for Windows needs its color and its padding on a cell."""
    return (
        f'<table {LAYOUT_ATTRIBUTES} align="{align}"><tr><td class="button" bgcolor="{INK_COLOR}" '
        f'style="padding:9px 18px;border-radius:6px"><a class="on-button" href="{url_html}" style="font-size:14px;'
        f'line-height:20px;font-weight:500;color:#ffffff;text-decoration:none">{label_html}</a></td></tr></table>'
    )


def build_picture_html(alt_html: str, light_url_html: str, dark_url_html: str, width: int) -> str:
    """Return the light picture and the dark one, which is hidden from programs without themes and from Outlook."""
    light_html, dark_html = (
        f'<img class="{css_class}" src="{url_html}" alt="{alt_html}" width="{width}" style="display:{display};'
        f"width:100%;max-width:{width}px;height:auto;border:0;border-radius:10px;color:{SOFT_COLOR};font-size:13px;"
        'line-height:18px">'
        for css_class, url_html, display in (("on-light", light_url_html, "block"), ("on-dark", dark_url_html, "none"))
    )
    return f"{light_html}\n<!--[if !mso]><!-->{dark_html}<!--<![endif]-->"
