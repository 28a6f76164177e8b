"""The window's own page: shown from the first moment until the server answers, and when it does not."""

from html import escape
from string import Template

from auritas.kernel.errors import AuritasError

AGAIN = "about:blank#again"
"""Address of the link that tries again: nothing is there, the window takes it as a wish."""
GROUND, GROUND_BY_NIGHT = "#fbfaf7", "#1c1a18"
"""Paper and slate, as the page of the server has them: going over to it must not flash."""

_PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Auritas</title>
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root {
  color-scheme: light dark;
  --ground: light-dark($ground, $ground_by_night);
  --ink: light-dark(#1f1b16, #ede8de);
  --ink-soft: light-dark(#564f44, #bdb5a7);
  --accent: light-dark(#86600d, #dbb15a);
  --accent-hover: light-dark(#6f4f08, #e6c277);
  --accent-ink: light-dark(#fffdf7, #1f1a10);
  --focus: light-dark(#86600d, #e6c277);
}
html { background: var(--ground); color: var(--ink); }
body {
  min-height: 100vh; margin: 0; padding: 2rem; box-sizing: border-box;
  display: grid; place-content: center; justify-items: center; gap: 1rem; text-align: center;
  font: 0.9375rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
h1 { margin: 0; font: 520 1.3125rem/1.2 "Iowan Old Style", Georgia, "Noto Serif", serif; }
p { margin: 0; max-width: 34rem; color: var(--ink-soft); overflow-wrap: anywhere; }
svg { width: 3.5rem; height: 3.5rem; }
.seat { fill: none; stroke: currentColor; stroke-width: 1.5; }
.speaker { fill: var(--accent); }
a {
  margin-top: 0.5rem; padding: 0.5rem 1rem; border-radius: 0.5rem;
  background: var(--accent); color: var(--accent-ink); text-decoration: none;
}
a:hover { background: var(--accent-hover); }
a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
</style></head>
<body>
<svg viewBox="0 0 32 32" aria-hidden="true">
<circle class="seat" cx="4" cy="22" r="2.75"/><circle class="seat" cx="7.5" cy="13.5" r="2.75"/>
<circle class="seat" cx="24.5" cy="13.5" r="2.75"/><circle class="seat" cx="28" cy="22" r="2.75"/>
<circle class="speaker" cx="16" cy="10" r="4"/>
</svg>
$words
</body></html>
""")


def opening() -> str:
    """Return the page that waits for the server."""
    # Nothing moves: drawn without a graphics card, that would take from the server the time that is waited for.
    return _page('<p role="status">Opening…</p>')


def trouble(error: AuritasError) -> str:
    """Return the page that says why there is no server, what helps, and offers to try again."""
    remedy = f"<p>{escape(error.remedy)}</p>" if error.remedy else ""
    again = f'<a href="{AGAIN}" autofocus>Try again</a>'
    return _page(
        f'<h1>Auritas is not running</h1><div role="alert"><p>{escape(error.message)}</p>{remedy}</div>{again}'
    )


def _page(words: str) -> str:
    return _PAGE.substitute(ground=GROUND, ground_by_night=GROUND_BY_NIGHT, words=words)
