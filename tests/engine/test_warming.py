import gc

from numba.core.dispatcher import Dispatcher

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
