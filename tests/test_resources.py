import pytest

from linkpress.errors import InstallationError
from linkpress.resources import resource


def test_what_is_not_shipped_is_said_to_be_missing():
    with pytest.raises(InstallationError, match="config/none is not part of this installation"):
        resource("config", "none")
