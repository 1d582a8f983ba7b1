"""The export of website_event."""

from pathlib import Path

from harness.oracles.import_outcome import imported

CSV = """\
website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,url_path,url_query,page_title,event_type,event_name,distinct_id,created_at,job_id
w,s-1,v-1,e-1,shop.example,chrome,Mac OS,laptop,1440x900,en-GB,DE,/,utm_source=mail,Home,1,,,2026-11-20 12:00:00,\\N
w,s-1,v-1,e-2,shop.example,chrome,Mac OS,laptop,1440x900,en-GB,DE,/cart,,"Cart, yours",2,add to cart,customer-17,2026-11-20 12:01:00,\\N
w,s-2,v-2,e-3,shop.example,,,,,,,/,,,5,,,2026-11-20 12:02:00,\\N
"""


def test_events(tmp_path: Path) -> None:
    first, second, third = imported(tmp_path / "website_event.csv", CSV, "umami")
    assert first == {
        "name": "pageview",
        "_actor": "s-1",
        "_source": "shop.example",
        "_timestamp": "2026-11-20 12:00:00",
        "properties": {
            "visit_id": "v-1",
            "event_id": "e-1",
            "browser": "chrome",
            "os": "Mac OS",
            "device": "laptop",
            "screen": "1440x900",
            "language": "en-GB",
            "country": "DE",
            "url_path": "/",
            "url_query": "utm_source=mail",
            "page_title": "Home",
        },
    }
    assert (second["name"], second["_actor"], second["properties"]["page_title"]) == (
        "add to cart",
        "customer-17",
        "Cart, yours",
    )
    assert (third["name"], third["_actor"]) == ("performance", "s-2")
