"""Kernels that look for a second way to draw a board's paths; ``engine.kernels`` explains each module."""
