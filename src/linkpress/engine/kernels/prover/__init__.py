"""Kernels that decide whether a board has a second drawing; ``engine.kernels`` explains each module."""
