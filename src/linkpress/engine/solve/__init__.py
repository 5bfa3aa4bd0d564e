"""This package solves as a person does, and grades by it.

- ``ladder``  the techniques, and the climb from the lowest up
- ``grade``   the grade of a climb
"""
