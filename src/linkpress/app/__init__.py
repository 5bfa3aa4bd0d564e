"""Use cases: each module does what one command asks for, with the help of the packages below.

- ``build``      build a book from its spec, print a built book again, or write the web page for playing its
  puzzles
- ``fix``        make a valid spec of one that is written in its author's own words
- ``editions``   find the folders of a book's editions, compare their ISBNs, and note what each lacks
- ``series``     check and build several books together
- ``marketing``  fill in a shop's form for a book, draw pictures for the shop, and write a pack for a designer
- ``puzzles``    make and grade single puzzles, and write their solves as pictures
- ``preview``    describe the plan of a book in words, and draw its pages in one image
- ``doctor``     check whether this installation can make and print a book
"""
