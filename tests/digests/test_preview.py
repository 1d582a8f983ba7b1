"""A preview says at once that events may be missing (rules/digests#preview)."""

import pytest

from digests.conftest import Post
from tallyroom.digests.preview import build_preview

URL = "https://stats.example.com"
SENTENCE = "The newest events may be missing"


@pytest.mark.parametrize("is_fresh", [True, False])
async def test_a_preview_does_not_wait_and_says_so(post: Post, is_fresh: bool) -> None:
    digest = await post.make()
    post.reader.is_fresh = is_fresh
    preview = await build_preview(post.renderer, post.reader, digest.id, post.clock, URL)
    assert (SENTENCE in preview.html, SENTENCE in preview.text) == (not is_fresh, not is_fresh)
