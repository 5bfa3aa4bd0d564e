"""The use cases: what a command or a script asks for, put together from press and newspaper.

- ``build``    a book from its spec, or laid out again from its volume, in a folder of its own
- ``pack``     a built book for a designer: its boards in three kinds of file, and pictures to sell it by
- ``preview``  a book before it is built: its plan in words, its pages in one image
- ``doctor``   whether this installation can make and print a book
"""
