"""Draws Frames; decides nothing."""
