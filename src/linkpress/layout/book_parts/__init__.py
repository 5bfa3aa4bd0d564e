"""The parts of a book stand here in the order of its pages.

- ``matter``    the title page, the copyright page and the contents; the publisher's own text; pages for notes
- ``howto``     the rules, a worked example, where to begin, what the grades mean
- ``tutorial``  one board of the book, solved in pictures: which, what they say, and how they stand
- ``sections``  a level with its opener, and the answers of all levels
"""
