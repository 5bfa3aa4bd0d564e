"""Techniques that solve a board as people do; ``linkpress.engine.kernels`` explains each module."""
