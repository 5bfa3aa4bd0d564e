"""Compiled hot loops, called by the engine's modules only."""
