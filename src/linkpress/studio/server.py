"""The studio's page asks these addresses, and each has its answer."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from linkpress.app.editions import book_folder
from linkpress.book.first_specs import GuidedAnswers, example_books, guided_choices
from linkpress.book.spec import read_spec
from linkpress.documents.json_text import parse_json
from linkpress.errors import LinkpressError
from linkpress.files import explanation
from linkpress.ledger.address import ledger_address
from linkpress.press.assets import load_assets
from linkpress.resources import resource
from linkpress.studio.facts import book_form, feed_form, puzzle_facts, sample_boards
from linkpress.studio.gate import Gate
from linkpress.studio.open_book import BookView, OpenBook, sample_svg
from linkpress.studio.session import Session
from linkpress.studio.shelf import (
    NEWSPAPER,
    built_cover,
    keep_picture,
    new_book,
    pictures_beside,
    shelved_specs,
)
from linkpress.studio.spec_file import Change, ConflictError, RefusedError

if TYPE_CHECKING:
    from linkpress.studio.open_feed import OpenFeed

WEB = Path(__file__).with_name("web")
_ASKED = (
    "shelf", "thumbnail", "form", "events", "book", "problems", "pages", "drawing", "puzzle", "samples",
    "file", "calendar", "day", "image", "play", "font",
)  # fmt: skip
_DONE = ("new", "change", "text", "undo", "redo", "build", "stop", "listing", "picture")
_PLAY_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_THUMBNAIL_PX = 340  # of height, for screens with two pixels to one
_MOST_BYTES = 2 << 20  # of a request
_MOST_OF_PICTURE = 64 << 20
_FILES = {".pdf", ".epub", ".txt", ".json"}  # of a built book, that are shown or fetched
Answer = Callable[[Request], Awaitable[Response]]


def studio_app(session: Session, token: str) -> Starlette:
    """Return the application that answers for a studio to windows that know its token."""
    addresses = _Addresses(session)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(session.watch()), asyncio.create_task(session.end_when_idle())]
        yield
        for task in tasks:
            task.cancel()
        await session.close()

    routes: list[BaseRoute] = [Route("/", addresses.window)]
    routes += [
        Mount("/web", StaticFiles(directory=WEB)),
        Mount("/fonts", StaticFiles(directory=resource("fonts"))),
        Mount("/examples", StaticFiles(directory=resource("docs", "pictures"))),
    ]
    for name in _ASKED:
        routes.append(Route(f"/api/{name}", _safely(getattr(addresses, name)), methods=["GET"]))
    for name in _DONE:
        routes.append(Route(f"/api/{name}", _safely(getattr(addresses, name)), methods=["POST"]))
    return Starlette(routes=routes, middleware=[Middleware(Gate, token=token)], lifespan=lifespan)


def _safely(answer: Answer) -> Answer:
    """Answer a user's mistake with its sentence."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except ConflictError:
            return JSONResponse({"conflict": True}, 409)
        except (RefusedError, LinkpressError) as fault:
            return JSONResponse({"refused": str(fault)}, 422)
        except OSError as fault:
            return JSONResponse({"refused": explanation(fault)}, 422)
        except (LookupError, ValueError, TypeError, ArithmeticError) as fault:
            return JSONResponse({"refused": f"this can't be asked: {fault}"}, 400)

    return answered


def _svg(drawing: str) -> Response:
    return Response(drawing, media_type="image/svg+xml")


async def _sent(request: Request) -> dict[str, Any]:
    """Read what a window sends: a JSON object of limited size, under the one media type that needs asking."""
    sent = parse_json(await _body(request, "application/json", _MOST_BYTES))
    if not isinstance(sent, dict):
        raise ValueError("an object is needed")
    return sent


async def _body(request: Request, media_type: str, most: int) -> bytes:
    if request.headers.get("content-type") != media_type:
        raise ValueError(f"{media_type} is needed")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise ValueError("it is too large")
    return bytes(body)


class _Addresses:
    """This answers requests; the name of each method is that of its address, below ``/api``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def window(self, request: Request) -> Response:
        return FileResponse(WEB / "studio.html")

    async def shelf(self, request: Request) -> Response:
        """List the specs of the folder, and the finished books that a new one can begin with."""
        session = self._session
        listed = await to_thread.run_sync(lambda: list(shelved_specs(session.folder, session.out)))
        examples = [*example_books(), NEWSPAPER]
        specs = [
            vars(spec) | ({"state": "failed"} if session.has_failed(spec.path) else {}) for spec in listed
        ]
        facts = {"folder": str(session.folder.resolve()), "examples": examples, "guide": guided_choices()}
        return JSONResponse({**facts, "specs": specs})

    async def thumbnail(self, request: Request) -> Response:
        """Draw the front of a built book's cover, for the list of books; its address has the cover's time."""
        path, out = self._session.path(request.query_params["file"]), self._session.out
        document = await to_thread.run_sync(read_spec, path)
        cover = built_cover(path, out, document)
        if cover is None or document.model is None:
            raise RefusedError("this book has no cover yet")
        png = await to_thread.run_sync(_front_png, cover, document.model.page.trim.size.width_pt)
        return Response(png, media_type="image/png", headers={"cache-control": "private, max-age=86400"})

    async def form(self, request: Request) -> Response:
        form = feed_form if request.query_params.get("kind") == "feed" else book_form
        return JSONResponse(await to_thread.run_sync(form))

    async def events(self, request: Request) -> Response:
        """Tell a window, as long as it is open, of everything that happens."""
        headers = {"cache-control": "no-store"}
        return StreamingResponse(self._session.listen(), media_type="text/event-stream", headers=headers)

    async def book(self, request: Request) -> Response:
        """Return a book's text and values; its puzzles begin to be made."""
        return JSONResponse(await self._state(request.query_params["file"]))

    async def problems(self, request: Request) -> Response:
        """Return all that ``check`` finds and foretells."""
        judge = await self._session.work_on_spec(request.query_params["file"], lambda spec: spec.judge())
        return JSONResponse(await to_thread.run_sync(judge))

    async def pages(self, request: Request) -> Response:
        """Return how many pages a book has, and what is where; puzzles that lack begin to be made."""
        name = request.query_params["file"]
        facts = await self._session.work(name, lambda book: book.view().facts())
        if facts["waiting"]:
            await self._session.make_missing(name)
        return JSONResponse(facts)

    async def drawing(self, request: Request) -> Response:
        """Draw what the query asks: ``page``, ``screen``, ``cover``, ``board``, ``answer`` or ``steps``."""
        query = request.query_params
        name, what, number = query["file"], query["what"], int(query.get("number", 0))
        is_outdated = self._session.newest(
            f"{what} {number} of {name} by {query.get('window')} {query.get('place')}"
        )

        def draw(book: OpenBook) -> str:
            return "" if is_outdated() else _draw(book.view(), what, number)

        return _svg(await self._session.work(name, draw))

    async def puzzle(self, request: Request) -> Response:
        name, number = request.query_params["file"], int(request.query_params["number"])
        return JSONResponse(await self._session.work(name, lambda book: _puzzle_in_book(book.view(), number)))

    async def samples(self, request: Request) -> Response:
        """Make three boards of a recipe, unless it was changed since, or is asked for anew meanwhile."""
        query = request.query_params
        name, index = query["file"], int(query["level"])
        is_outdated = self._session.newest(f"samples {index} of {name} by {query.get('window')}")
        book = await self._session.book(name)
        spec = book.spec
        if spec is None or book.file.version != int(query["version"]) or spec.levels[index].file:
            return JSONResponse({"isOutdated": True})
        made = partial(sample_boards, spec.levels[index], str(spec.seed), is_outdated)
        grades = spec.wording().grades

        def draw() -> list[dict[str, str]]:
            assets = load_assets(spec, book.file.path.parent)
            return [
                {"svg": sample_svg(board.puzzle, assets), "grade": grades[grade] if grade else ""}
                for board, grade in made()
            ]

        boards = await to_thread.run_sync(draw)
        return JSONResponse({"boards": boards, "isOutdated": is_outdated()})

    async def play(self, request: Request) -> Response:
        """Return a page on which one puzzle is played; all is in it, and it may ask for nothing."""
        name, number = request.query_params["file"], int(request.query_params["number"])
        page = await self._session.work(name, lambda book: book.view().play_html(number))
        return Response(page, media_type="text/html", headers={"content-security-policy": _PLAY_POLICY})

    async def font(self, request: Request) -> Response:
        digest = request.query_params["digest"]
        fonts = await self._session.work(request.query_params["file"], lambda book: book.view().own_fonts())
        path = next((font.path for _, font in fonts if font.digest == digest), None)
        if path is None:
            raise RefusedError("the book has no such font")
        return FileResponse(path, media_type="font/ttf")

    async def calendar(self, request: Request) -> Response:
        from linkpress.feeds.feed_spec import read_dates

        query = request.query_params
        run = read_dates(query["from"], int(query["days"]))
        return JSONResponse(await self._session.work_on_feed(query["file"], lambda feed: feed.calendar(run)))

    async def day(self, request: Request) -> Response:
        from linkpress.feeds.feed_spec import read_dates

        query = request.query_params
        day = read_dates(query["day"], 1).first
        return JSONResponse(await self._session.work_on_feed(query["file"], lambda feed: feed.day_facts(day)))

    async def image(self, request: Request) -> Response:
        """Return a day's image of a feed as the paper prints it."""
        from linkpress.feeds.feed_spec import read_dates
        from linkpress.images.image_settings import ImageKind

        query = request.query_params
        day, what = read_dates(query["day"], 1).first, ImageKind(query["what"])
        png = await self._session.work_on_feed(query["file"], lambda feed: feed.image(day, what))
        return Response(png, media_type="image/png")

    async def file(self, request: Request) -> Response:
        name, wanted = request.query_params["file"], request.query_params["name"]
        book = await self._session.book(name)
        spec = book.spec
        if spec is None or Path(wanted).name != wanted or Path(wanted).suffix not in _FILES:
            raise RefusedError(f"{wanted}: there is no such file")
        path = book_folder(self._session.out, spec, book.file.path.parent) / wanted
        if not path.is_file():
            raise RefusedError(f"{wanted}: there is no such file; build the book first")
        kept = request.query_params.get("keep") is not None
        return FileResponse(
            path, filename=wanted, content_disposition_type="attachment" if kept else "inline"
        )

    async def new(self, request: Request) -> Response:
        """Write a new spec, made from a finished book or from answers."""
        sent = await _sent(request)
        folder = self._session.folder
        like, title = str(sent.get("like", "")), str(sent["title"])
        answers = GuidedAnswers(**sent["answers"]) if "answers" in sent else None
        path = await to_thread.run_sync(new_book, folder, like, title, answers)
        self._session.tell("shelf")
        return JSONResponse({"file": path.relative_to(folder).as_posix()})

    async def change(self, request: Request) -> Response:
        """Change one key or list of a spec."""
        sent = await _sent(request)
        change = Change(str(sent["kind"]), tuple(sent["path"]), sent.get("value"))
        return await self._write(sent, lambda book: book.file.change(change))

    async def text(self, request: Request) -> Response:
        sent = await _sent(request)
        text, version = str(sent["text"]), int(sent["version"])
        return await self._write(sent, lambda book: book.file.replace_text(text, version))

    async def undo(self, request: Request) -> Response:
        return await self._write(await _sent(request), lambda book: book.file.undo())

    async def redo(self, request: Request) -> Response:
        return await self._write(await _sent(request), lambda book: book.file.redo())

    async def build(self, request: Request) -> Response:
        """Begin to build a book, or to make days of a feed."""
        sent = await _sent(request)
        name = str(sent["file"])
        if "from" in sent:
            from linkpress.feeds.feed_spec import read_dates

            run = read_dates(str(sent["from"]), int(sent["days"]))
            await self._session.start("feed", name, run.first.isoformat(), str(run.days))
        else:
            await self._session.start("build", name)
        return JSONResponse({})

    async def listing(self, request: Request) -> Response:
        """Write the sheet of what a shop's form asks of the built book, and return it."""
        from linkpress.app.marketing import list_book

        book = await self._session.book(str((await _sent(request))["file"]))
        spec, folder = book.spec, book.file.path.parent
        if spec is None:
            raise RefusedError("the book has faults; mend them, and build it")
        place = book_folder(self._session.out, spec, folder)
        listed = await to_thread.run_sync(lambda: list_book(place, spec_folder=folder))
        files = [str(path.relative_to(place)) for path in listed.files]
        return JSONResponse({"text": listed.text, "wanting": listed.wanting, "files": files})

    async def picture(self, request: Request) -> Response:
        """Take a picture into the folder of a book, and list those that are there."""
        content = await _body(request, "application/octet-stream", _MOST_OF_PICTURE)
        query, folder = request.query_params, self._session.path(request.query_params["file"]).parent
        keep = partial(keep_picture, folder, query["name"], content, instead="instead" in query)
        await to_thread.run_sync(keep)
        return JSONResponse({"pictures": pictures_beside(folder)})

    async def stop(self, request: Request) -> Response:
        await self._session.stop(str((await _sent(request))["file"]))
        return JSONResponse({})

    async def _write(self, sent: dict[str, Any], task: Callable[[OpenBook | OpenFeed], None]) -> Response:
        name = str(sent["file"])
        await self._session.work_on_spec(name, task)
        state = await self._state(name)
        self._session.tell("changed", file=name, version=state["version"], window=sent.get("window"))
        return JSONResponse(state)

    async def _state(self, name: str) -> dict[str, Any]:
        def state(spec: OpenBook | OpenFeed) -> dict[str, Any]:
            return {
                "file": name,
                "kind": "book" if isinstance(spec, OpenBook) else "feed",
                **self._session.progress_of(name),
                **spec.file.state(),
            }

        return await self._session.work_on_spec(name, state)


def _puzzle_in_book(view: BookView, number: int) -> dict[str, Any]:
    record = view.puzzle(number)
    return {
        **puzzle_facts(record, view.spec.wording()),
        "ledger": _ledger_place(record.fingerprint),
        "given": record.method is None,
        "svg": view.board_svg(record, answer=False),
    }


def _ledger_place(fingerprint: str) -> str:
    from linkpress.ledger.store import Ledger

    with contextlib.suppress(LinkpressError), Ledger(ledger_address(), writable=False) as ledger:
        entry = ledger.find(fingerprint)
        return str(entry.place) if entry else ""
    return ""


def _front_png(cover: Path, width_pt: float) -> bytes:
    """Draw the front of a cover: the part at the right of its trim, as wide as the book."""
    import pypdfium2

    written = io.BytesIO()
    with pypdfium2.PdfDocument(cover) as document:
        page = document[0]
        left, foot, right, top = page.get_trimbox()
        cut = max(left, right - width_pt), foot, page.get_width() - right, page.get_height() - top
        page.render(scale=_THUMBNAIL_PX / (top - foot), crop=cut).to_pil().save(written, "PNG")
    return written.getvalue()


def _draw(view: BookView, what: str, number: int) -> str:
    match what:
        case "page":
            return view.page_svg(number)
        case "screen":
            return view.screen_svg(number)
        case "cover":
            return view.cover_svg()
        case "board" | "answer":
            return view.board_svg(view.puzzle(number), answer=what == "answer")
        case "steps":
            return view.steps_svg(view.puzzle(number))
    raise RefusedError(f"{what}: there is no such drawing")
