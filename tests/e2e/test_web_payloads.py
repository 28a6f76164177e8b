"""What models write is shown in a real Chromium under the app's own policy, and nothing of it is ever executed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.web_harness import Harness, build, missing, opened, payloads

REQUIRED = os.environ.get("NEEDS_BROWSER") == "required"
DOT = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg"
    "=="
)
pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reason = missing()
    if reason and not REQUIRED:
        pytest.skip(reason)
    assert reason is None, reason
    return build(tmp_path_factory.mktemp("rendering"))


@pytest.fixture
def harness(page_folder: Path) -> Iterator[Harness]:
    with opened(page_folder) as harness:
        yield harness


def test_no_payload_executes_loads_or_navigates_in_any_sink(harness: Harness):
    """Every payload in every sink: no script, no dialog, no request, no navigation, no violation of the policy (W7)."""
    hostile = payloads()
    assert len(hostile) >= 220
    found = []
    for name, text in hostile:
        found += [
            f"{name} {text!r}: {finding}"
            for finding in harness.call("async (text) => await window.harness.show(text)", text)
        ]
    assert not found, "\n".join(found)
    assert harness.call("() => window.pwned") == 0
    assert harness.call("() => window.violations") == []
    assert harness.call("() => Object.prototype.polluted") is None
    assert harness.dialogs == []
    assert harness.errors == []
    assert harness.navigations == [harness.address]
    assert harness.foreign_requests == []


def test_what_a_payload_would_do_is_seen_here(harness: Harness):
    """A request, a forbidden element and a broken policy do not go unnoticed, so their absence means something (W7)."""
    harness.call("() => { new Image().src = 'https://evil.example/seen'; }")
    harness.call("async () => await window.harness.frame()")
    assert harness.foreign_requests == ["https://evil.example/seen"]
    assert len(harness.call("() => window.violations")) == 1
    assert harness.call("() => window.harness.foundInBold()") == ["<b>", "b has href="]


def test_a_link_asks_and_shows_the_whole_address_before_it_opens(harness: Harness):
    """Nothing is looked up or opened until a person has seen where a link leads (W7)."""
    address = "https://example.com/path?q=1"
    harness.call("async (text) => await window.harness.show(text)", f"see [my bank]({address})")
    link = harness.page.locator("[data-sink='chosen answer'] .md-link")
    assert harness.page.locator("a[href]").count() == 0
    link.click()
    dialog = harness.page.locator("dialog[open]")
    assert address in dialog.inner_text()
    harness.page.keyboard.press("Escape")
    assert harness.page.locator("dialog[open]").count() == 0
    assert harness.foreign_requests == []


def test_a_picture_is_decoded_only_when_asked_for(harness: Harness):
    """A picture that a text carries in itself waits for its button; one from elsewhere has none (W7)."""
    text = f"![a dot]({DOT})\n\n![far](https://evil.example/x.png)"
    harness.call("async (text) => await window.harness.answer(text)", text)
    assert harness.page.locator("img").count() == 0
    harness.page.get_by_role("button", name="Load picture").click()
    assert harness.page.locator("img").count() == 1
    assert harness.foreign_requests == []


@pytest.mark.parametrize("kind", ["prose", "paragraph", "code", "table", "list", "mixed"])
def test_a_token_costs_no_more_than_two_hundred_parsed_characters(harness: Harness, kind: str):
    """Four columns, one token a frame, 2,000 tokens of history each: at most 200 parsed characters a token (W5)."""
    parsed = harness.call("async (kind) => await window.harness.stream(kind, 4, 2000, 1, false)", kind)
    assert 0 < parsed <= 200
    assert harness.call("() => window.violations") == []


def test_a_long_conversation_is_in_the_page_only_where_it_is_read(harness: Harness):
    """5,000 messages open at the last one with few of them in the page, and any can be jumped to (W6)."""
    harness.call("async () => await window.harness.open(5000)")
    items = harness.page.locator(".list-item")
    assert items.count() <= 40
    assert harness.page.locator("[data-message=m4999]").bounding_box() is not None
    assert harness.call("async () => await window.harness.jumpTo('m2500')") is True
    harness.page.locator("[data-message=m2500].list-item-marked").wait_for()
    box = harness.page.locator("[data-message=m2500]").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 800
    assert items.count() <= 40
    assert harness.call("async () => await window.harness.jumpTo('nowhere')") is False
    harness.page.get_by_role("button", name="To the end").click()
    harness.page.locator("[data-message=m4999]").wait_for()


def test_what_is_read_keeps_its_place_while_earlier_messages_load(harness: Harness):
    """Earlier messages are asked for once, and come in above without moving what is on the screen (W6)."""
    harness.call("async () => await window.harness.open(100, 400)")
    harness.call("async () => await window.harness.jumpTo('m402')")
    assert harness.call("() => window.harness.earlier()") == 1
    read = harness.page.locator("[data-message=m402]")
    before = read.bounding_box()
    harness.call("async () => await window.harness.more(200, 300)")
    after = read.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) <= 2


def test_a_list_follows_its_growing_end_unless_the_reader_scrolled_up(harness: Harness):
    """Text that streams in keeps the end in sight; a reader who scrolled up stays there and is told (W6)."""
    harness.call("async () => await window.harness.open(300)")
    harness.call("async () => await window.harness.grow(300, 40)")
    assert harness.call("() => window.harness.distance()") <= 48
    harness.page.locator(".list-scroller").hover()
    harness.page.mouse.wheel(0, -1500)
    harness.page.get_by_role("button", name="To the end").wait_for()
    harness.page.wait_for_timeout(300)
    before = harness.call("() => document.querySelector('.list-scroller').scrollTop")
    harness.call("async () => await window.harness.grow(300, 40)")
    after = harness.call("() => document.querySelector('.list-scroller').scrollTop")
    assert abs(before - after) <= 2
