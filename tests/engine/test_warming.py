import gc
import threading

import pytest
from numba.core.dispatcher import Dispatcher

from linkpress.engine import warming
from linkpress.engine.generate import generate
from linkpress.engine.recipe import Method, Pattern, Recipe, Rule, Span
from linkpress.engine.warming import warm_engine


def loaded():
    """What is compiled or loaded in this process: kernels with the types that they take."""
    kernels = [found for found in gc.get_objects() if isinstance(found, Dispatcher)]
    return {(kernel.py_func.__name__, str(types)) for kernel in kernels for types in kernel.overloads}


def test_nothing_is_left_to_compile_when_the_engine_is_warm():
    warm_engine()
    before = loaded()
    generate(Recipe(5, 7, pairs=Span(4, 6), solids=Span(0, 2)), "a")
    generate(Recipe(9, 8, pairs=Span(10, 10), solids=Span(0, 0), rule=Rule.FILLED), "b")
    generate(Recipe(8, 8, pairs=Span(8, 8), solids=Span(2, 2), pattern=Pattern.ROTATIONAL), "c")
    generate(Recipe(7, 7), "d", Method.CLASSIC)
    assert loaded() == before


@pytest.mark.parametrize("ending", [None, RuntimeError, KeyboardInterrupt])
def test_while_it_compiles_it_is_told_how_long_that_has_taken_and_no_longer(monkeypatch, ending):
    told, enough = [], threading.Event()

    def note(so_far_s):
        told.append(so_far_s)
        if len(told) == 3:
            enough.set()

    def compile_long(on_compile):
        on_compile()
        assert enough.wait(60)
        if ending is not None:
            raise ending
        return True

    monkeypatch.setattr(warming, "_TOLD_EVERY_S", 0.01)
    monkeypatch.setattr(warming, "warm_kernels", compile_long)
    threads = threading.active_count()
    if ending is None:
        assert warm_engine(note)
    else:
        with pytest.raises(ending):
            warm_engine(note)
    assert threading.active_count() == threads
    assert told[0] == 0 < told[1] < told[2]


def test_of_an_engine_that_is_loaded_nothing_is_told():
    told = []
    warm_engine()
    assert not warm_engine(told.append)
    assert told == []
