"""Solve a puzzle as a person does, and grade it by what that takes.

- ``ladder``  climbing the ladder of techniques
- ``grade``   grades and stars
"""
