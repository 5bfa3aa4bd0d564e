"""The parts of a book, in the order of its pages.

- ``part``       what each part must be able to say, and the named places on pages
- ``title``      the title page
- ``copyright``  the copyright page
- ``contents``   the contents
- ``own_pages``  the publisher's own text, before the rules or after the solutions; pages for notes
- ``howto``      the rules, a worked example, where to begin
- ``grades``     what the grades mean, for the rules and for openers
- ``sections``   a level: its opener, then its puzzles
- ``solutions``  the answers
"""
