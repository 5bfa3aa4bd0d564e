"""Version of linkpress. A test checks that ``pyproject.toml`` has the same one."""

__version__ = "0.3.0"
