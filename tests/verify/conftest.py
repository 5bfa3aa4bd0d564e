import pytest

from verify_samples import boards_as_forms


@pytest.fixture(autouse=True)
def _boards_as_forms():
    """``verify`` draws the books of these tests again as they were written."""
    with boards_as_forms():
        yield
