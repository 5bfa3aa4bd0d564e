"""Days drawn by several processes at a time, in the order of the days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from linkpress.book.crew import Crew, WorkerLost
from linkpress.errors import GaveUpError
from linkpress.newspaper.day_images import DayOrder, Studio, draw_day

_AHEAD = 3  # days handed out for each worker, so that none waits for this process
_ATTEND_S = 0.5

_Items = list[dict[str, Any]]


def draw_days(studio: Studio, orders: Sequence[DayOrder], jobs: int, on_done: Callable[[], None]) -> _Items:
    """Draw and write the images of days.

    Args:
        studio: how and where to.
        orders: one a day.
        jobs: days drawn at a time; 1 works in this process.
        on_done: called for each day.
    Returns:
        The manifest's items in the order of the days.
    Raises:
        LayoutError, OutputError: as ``draw_day``.
        GaveUpError: a worker process was lost.
    """
    if jobs == 1 or len(orders) < 2:
        items = []
        for order in orders:
            items += draw_day(studio, order)
            on_done()
        return items
    with Crew(min(jobs, len(orders))) as crew:
        return _drawn_by(crew, studio, orders, jobs * _AHEAD, on_done)


def _drawn_by(
    crew: Crew, studio: Studio, orders: Sequence[DayOrder], window: int, on_done: Callable[[], None]
) -> _Items:
    done: dict[int, _Items] = {}
    pending: dict[Future[_Items], int] = {}
    begun = 0
    while len(done) < len(orders):
        while len(pending) < window and begun < len(orders):
            pending[crew.submit(draw_day, studio, orders[begun])] = begun
            begun += 1
        crew.attend(_ATTEND_S)
        for future in [one for one in pending if one.done()]:
            at = pending.pop(future)
            done[at] = _result(future, orders[at])
            on_done()
    return [item for at in range(len(orders)) for item in done[at]]


def _result(future: Future[_Items], order: DayOrder) -> _Items:
    try:
        return future.result()
    except WorkerLost as fault:
        raise GaveUpError(
            f"the images of {order.issue.day} can't be drawn: {fault}. Perhaps memory is short: go on with "
            "--resume and fewer --jobs."
        ) from fault
