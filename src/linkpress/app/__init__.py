"""The use cases are what a command or a script asks for, put together from the rooms above.

- ``build``          a book from its spec, or laid out again from its volume, in a folder of its own
- ``editions``       which ISBN is whose among built books, and what an edition in another language lacks
- ``series``         several books, checked together before the first puzzle of any of them is made
- ``play``           a built book's page for the browser
- ``pack``           a built book for a designer: its boards as files, and pictures to sell it by
- ``listing``        what a shop's form asks of a built book, held against its files
- ``puzzles``        single puzzles: made to a recipe, and graded
- ``preview``        a book before it is built: its plan in words, its pages in one image
- ``step_picture_files``  a solve in pictures as a file
- ``doctor``         whether this installation can make and print a book
"""
