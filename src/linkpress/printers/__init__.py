"""Printers: what a printer accepts and charges, and whether a book follows the printer's rules.

- ``profile`` has the printer profiles: their keys, the rules that follow from them, and the cost of a copy.
"""
