"""The use cases: what a command or a script asks for, put together from press and newspaper.

- ``build``        a book from its spec, or laid out again from its volume
- ``book_folder``  what a build writes into a book's folder, and what of an earlier one it removes
- ``plan_text``    what a build would do, in words
- ``preview``      pages of a book side by side in one image
- ``doctor``       whether this installation can make and print a book
"""
