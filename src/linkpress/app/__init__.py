"""Use cases: each module does what one command asks for, with the help of the packages below.

- ``build``      build a book from its spec, or print a built book again; write its page for the browser
- ``editions``   the folders and ISBNs of a book's editions, and what an edition still lacks
- ``series``     check and build several books together
- ``marketing``  a shop's form with pictures, and a pack for a designer
- ``puzzles``    make and grade single puzzles, and write their solves as pictures
- ``preview``    the plan of a book in words, and its pages in one image
- ``doctor``     check whether this installation can make and print a book
"""
