"""Read and write puzzles and solutions as text.

- ``notations``      the table of all notations, and functions to read and write them
- ``link_text``      link text, tables with bars, and the functions that all notations share
- ``ascii_drawing``  drawings in box-drawing characters
- ``pzpr``           addresses and files of the puzz.link player
- ``penpa``          addresses of the Penpa+ player
"""
