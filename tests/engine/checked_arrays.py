"""Arrays for kernels that run as plain Python. They raise an error where C would silently go wrong."""

from linkpress.engine.kernels import pure_python

BITS = {"b": 8, "h": 16, "i": 32, "d": 0}


class Checked(list[float]):
    """An array of zeros that refuses negative indexes and values with too many bits.

    Args:
        bits: the size of its signed integers; 0 for an array of doubles.
    """

    def __init__(self, size, bits):
        super().__init__([0] * size)
        self.bits = bits

    def __getitem__(self, at):
        return super().__getitem__(self._counted_from_0(at))

    def __setitem__(self, at, value):
        if self.bits and not -1 << self.bits - 1 <= value < 1 << self.bits - 1:
            raise OverflowError(f"{value} takes more than {self.bits} bits")
        super().__setitem__(self._counted_from_0(at), value)

    def _counted_from_0(self, at):
        if at < 0:
            raise IndexError(f"{at} counts from the end")
        return at


def check_arrays(replace=setattr):
    """Let all plain kernels use checked arrays. Pass ``monkeypatch.setattr`` to limit that to one test."""
    replace(pure_python, "make_array", lambda kind, size: Checked(size, BITS[kind]))
