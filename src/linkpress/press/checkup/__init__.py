"""Whether this installation, on this machine, can make and print a book."""

from linkpress.press.checkup.finding import Finding, State, check_up

__all__ = ["Finding", "State", "check_up"]
