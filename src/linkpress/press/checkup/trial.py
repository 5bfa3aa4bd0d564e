"""One puzzle, all the way: made, proven, typeset, read back from its PDF and proven again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from linkpress.press.checkup.finding import PUT_RIGHT, Result, State, fine

_SPEC = """\
title: Trial
seed: 1
levels:
  - {name: Trial, count: 1, size: 7x5, paths: 5, solids: 1}
"""


def check_trial() -> Result:
    """A book of one puzzle can be built, and says what its volume says."""
    from linkpress.press.build import build
    from linkpress.press.readback import verify_folder
    from linkpress.production.ledger_session import NO_LEDGER

    with tempfile.TemporaryDirectory(prefix="linkpress-") as name:
        spec = Path(name, "trial.yaml")
        spec.write_text(_SPEC, encoding="utf-8")
        built = build(spec, name, 1, ledger=NO_LEDGER)
        verdict = verify_folder(built.folder)
    if not verdict.passed:
        text = "; ".join(fault.text for _, fault in verdict.faults) or "the proof was given up"
        return (
            State.BROKEN,
            f"a puzzle came back wrong: {text}",
            f"{PUT_RIGHT} Report this if that is no help.",
        )
    return fine("one puzzle made, proven, typeset, read back and proven again")
