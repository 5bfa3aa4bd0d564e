"""Kernels that make path covers, which are boards divided into paths.

``engine.kernels`` explains each module.
"""
