"""The window: the same page in a frame of its own, a tray icon, and one server process behind both.

Only this package knows Qt and pywebview. They come with the extra `desktop` and are imported when a window is wanted.
"""
