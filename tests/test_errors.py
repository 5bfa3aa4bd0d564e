"""Scripts tell failures apart by these numbers, so that none may move."""

import inspect

from linkpress import errors


def test_each_kind_of_error_has_its_documented_exit_code():
    kinds = {
        name: int(kind.exit_code)
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.LinkpressError)
    }
    assert kinds == {
        "LinkpressError": 2,
        "UsageError": 2,
        "SpecError": 2,
        "LayoutError": 2,
        "RecipeError": 3,
        "GradeError": 3,
        "PuzzleError": 4,
        "OutputError": 5,
        "GaveUpError": 6,
        "ClusterError": 6,
        "InstallationError": 70,
        "StoppedError": 130,
        "FoundWantingError": 1,
    }
