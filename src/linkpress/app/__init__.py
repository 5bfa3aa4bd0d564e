"""Use cases of linkpress. The modules of this package do the work of its commands.

- ``build``      build a book from its spec (its YAML file), print a built book again, or write the web page
  on which its puzzles are played
- ``fix``        repair a spec that has errors or uses other names for its keys
- ``editions``   find the folders of a book's editions, compare their ISBNs, and report missing translations
- ``series``     check and build several books together
- ``marketing``  fill in a shop's form for a book, draw pictures for the shop, and write files for a designer
- ``puzzles``    make and grade single puzzles, and draw how they are solved step by step
- ``preview``    describe the plan of a book in words, and draw its pages side by side in one image
- ``doctor``     check whether this installation can make and print a book
"""
