"""Decides where everything goes, in points; draws nothing."""
