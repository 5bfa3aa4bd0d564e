"""Reads puzzles back out of a finished PDF, from what is drawn alone, and holds them to the record."""

from linkpress.press.readback.boards import BoardRead
from linkpress.press.readback.book import BookRead, read_book
from linkpress.press.readback.captions import Phrases
from linkpress.press.readback.fault import Fault
from linkpress.press.readback.verify import Verification, verify_folder

__all__ = ["BoardRead", "BookRead", "Fault", "Phrases", "Verification", "read_book", "verify_folder"]
