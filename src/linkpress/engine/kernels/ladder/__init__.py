"""Solving techniques, and the climb that uses them. ``linkpress.engine.kernels`` explains kernels."""
