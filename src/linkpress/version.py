"""Version of linkpress. A test checks that it is equal to the version in ``pyproject.toml``."""

__version__ = "0.3.0"
