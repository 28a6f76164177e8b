"""HTTP: the page, REST, event streams, an OpenAI-compatible endpoint, MCP; renders what `app` does."""
