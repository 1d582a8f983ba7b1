"""Texts and pictures that want to run scripts and to fetch, in every way that SVG, HTML and CSS have."""

from harness.browser.chromium import RUN


def wicked_texts(url: str) -> list[str]:
    """Titles and names, none longer than 200 characters.

    Args:
        url: where what they fetch would be asked for.
    """
    script = f"<script>{RUN}</script>"
    fetching = [
        f'<image href="{url}/image" width="9" height="9"/>',
        f'<img src="{url}/img" onerror="{RUN}">',
        f'<use href="{url}/use#a"/>',
        f'<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="{url}/frame"/></foreignObject>',
        f'<style>@import "{url}/style";*{{background:url({url}/back)}}</style>',
        f'<link rel="stylesheet" href="{url}/link"><meta http-equiv="refresh" content="0;url={url}/refresh">',
        f'<?xml-stylesheet href="{url}/sheet"?>',
        f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{url}/entity">]>&x;',
        f'<feImage href="{url}/effect"/><video src="{url}/video" poster="{url}/poster" autoplay/>',
        f"}}}}@import url({url}/import);*{{fill:url({url}/fill);font-family:x}}@font-face{{font-family:x;src:url({url}/font)}}",
        f'x" fill="url({url}/attribute)" style="background:url({url}/inline)',
        f"url({url}/plain)",
    ]
    closing = [
        f"{end}{script}" for end in ('">', "'>", "</text>", "</title>", "</desc>", "</style>", "</svg>", "]]>", "-->")
    ]
    running = [
        script,
        f"<![CDATA[{script}]]>",
        f"<!--{script}",
        f'" onload="{RUN}" x="',
        f"' onload='{RUN}' x='",
        f" onload={RUN} ",
        f'<svg onload="{RUN}"/>',
        f'<animate attributeName="x" dur="1s" onbegin="{RUN}"/><set attributeName="onload" to="{RUN}"/>',
        f'<a href="javascript:{RUN}">javascript:{RUN}</a><iframe src="javascript:parent.{RUN}"></iframe>',
        f"&lt;script&gt;{RUN}&lt;/script&gt;",
        f"&#60;script&#62;{RUN}&#60;/script&#62;",
        f"&#x3c;script&#x3e;{RUN}&#x3c;/script&#x3e;",
        f"<<script>{RUN}//<</script>",
        f"\\u003cscript\\u003e{RUN}\\u003c/script\\u003e",
        f"<scr\0ipt>{RUN}</scr\0ipt>",
        f"<scr\u202eipt>{RUN}</scr\u2028ipt>",
    ]
    long = [
        (each * 200)[:200]
        for each in ("<", ">", "&", '"', "'", "]]>", "&#x41;", "\\", "{}", "/*", "W", "i", "日", "😀")
    ]
    return [*fetching, *closing, *running, *long]


def wicked_svg(url: str) -> bytes:
    """A picture that runs a script and fetches, wherever it may."""
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99" onload="{RUN}">
<style>@import url({url}/style);</style><script>{RUN}</script><image href="{url}/image" width="9" height="9"/>
<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="{url}/img" onerror="{RUN}"/>
</foreignObject></svg>""".encode()
