"""Printers: what a printer accepts and charges, and whether a book keeps its rules.

- ``profile``  profile files, their keys, the rules that follow from them, and the costs of a copy
"""
