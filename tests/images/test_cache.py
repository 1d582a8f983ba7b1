"""The headers of a picture (rules/pictures#public-widgets)."""

from litestar.testing import RequestFactory
from msgspec import UNSET

from tallyroom.core.notices import NOT_UP_TO_DATE
from tallyroom.images.cache import PICTURE_HEADERS, picture_response
from tallyroom.images.messages import Picture, PictureFormat

PICTURE = Picture(PictureFormat.SVG, b"<svg/>", '"tag"')


def test_a_picture_that_lacks_the_newest_events_says_so_and_is_asked_for_again() -> None:
    response = picture_response(RequestFactory().get(), PICTURE, [NOT_UP_TO_DATE])
    assert response.headers["tallyroom-notice"] == "not_up_to_date"
    assert response.headers["cache-control"] == "public, no-cache"
    assert response.content == PICTURE.body


def test_other_pictures_are_kept_for_a_minute() -> None:
    response = picture_response(RequestFactory().get(), PICTURE, UNSET)
    assert response.headers == PICTURE_HEADERS | {"etag": PICTURE.tag}
