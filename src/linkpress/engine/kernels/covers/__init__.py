"""Kernels that make covers (boards divided into paths); ``engine.kernels`` explains each module."""
