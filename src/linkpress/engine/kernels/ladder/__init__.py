"""Techniques of the ladder, and the climb that uses them; see ``linkpress.engine.kernels``."""
