"""Judges a finished PDF, ours or anyone's, against a printer's profile."""

from linkpress.press.preflight.result import Finding, Report
from linkpress.press.preflight.run import Wanted, preflight

__all__ = ["Finding", "Report", "Wanted", "preflight"]
