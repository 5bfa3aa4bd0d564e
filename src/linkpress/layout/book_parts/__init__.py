"""The parts of a book, in the order of its pages.

- ``front_matter``  the title page, the copyright page and the contents
- ``own_pages``     the publisher's own text, before the rules or after the solutions; pages for notes
- ``howto``         the rules, a worked example, where to begin, what the grades mean
- ``tutorial``      one board of the book, solved in pictures
- ``sections``      a level with its opener, and the answers of all levels
"""
