"""What a browser's session is called in the list of sessions."""

_BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def label_of(user_agent: str) -> str:
    """Return such as "Firefox on Linux" from a User-Agent header; each browser names those before it, too."""
    browser = _first(user_agent, _BROWSERS) or "Browser"
    system = _first(user_agent, _SYSTEMS)
    return f"{browser} on {system}" if system else browser


def _first(text: str, known: tuple[tuple[str, str], ...]) -> str | None:
    return next((name for mark, name in known if mark in text), None)
