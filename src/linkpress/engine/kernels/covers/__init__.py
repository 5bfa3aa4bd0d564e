"""Kernels that make covers (boards divided into paths); ``engine.kernels`` explains the modules."""
