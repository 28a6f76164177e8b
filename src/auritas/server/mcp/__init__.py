"""The Model Context Protocol: other programs' models use this one as a tool. Importing this package loads no SDK."""
