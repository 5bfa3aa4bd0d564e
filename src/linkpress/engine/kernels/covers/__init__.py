"""Kernels that make covers, which are boards divided into paths; ``engine.kernels`` explains each module."""
