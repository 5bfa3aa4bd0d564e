"""The studio's web server. It answers only requests from browser windows that the studio opened.

Connections are closed if they don't send a complete request in time (``StudioProtocol``). Any program on
the machine can connect. Without limits, connections with incomplete requests would use up the file
descriptors of the studio, and its user could not connect any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import os
import re
import secrets
import shutil
import sys
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import quote, urlencode

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from linkpress.book.first_specs import GuidedAnswers, example_books, guided_choices
from linkpress.book.spec import BookSpec, read_spec
from linkpress.documents.models import Document
from linkpress.documents.problem import value_at
from linkpress.errors import LinkpressError, SpecError
from linkpress.files import explanation, parse_json
from linkpress.ledger.address import ledger_address
from linkpress.render.fonts import family_of, font_face_rules
from linkpress.resources import resource
from linkpress.studio.finished import (
    answers_html,
    ask_html,
    blank_html,
    cost_html,
    edition_note_html,
    editions_html,
    finished_html,
    galleries_html,
    media_html,
    picture_html,
    puzzle_html,
    saved_name,
    selling_html,
    selling_title,
)
from linkpress.studio.forecast_html import boards_html, hatched_svg, with_html
from linkpress.studio.html_parts import WEB, icon, picture_ways_html, problems_html, same_name_html, say, tag
from linkpress.studio.open_book import BookView, OpenBook, drawable_spec, puzzle_facts, region_facts
from linkpress.studio.session import Session
from linkpress.studio.settings import (
    book_form,
    changes_html,
    clash_html,
    feed_form,
    key_clash_html,
    mending_html,
    note_html,
    part_list,
    rail_html,
    setting_labels,
    settings_html,
)
from linkpress.studio.shelf import changed_html, rename_html, shelf_html
from linkpress.studio.spec_files import (
    NEWSPAPER,
    TRASH,
    Change,
    ConflictError,
    Editor,
    RefusedError,
    add_spec,
    built_cover,
    copy_spec,
    create_spec,
    discard_spec,
    good_file,
    list_pictures,
    list_specs,
    list_trash,
    rename_spec,
    reseed_spec,
    restore_spec,
    save_picture,
    spec_title,
)

if TYPE_CHECKING:
    from linkpress.feeds.feed_spec import FeedDates
    from linkpress.studio.open_feed import OpenFeed


# Maximum number of connections that have not sent a complete request. A browser opens six connections.
_MAX_WAITING = 64

# Maximum number of new connections that the server accepts in one go. While it accepts them, it can't close
# connections that have waited too long. macOS allows a program 256 file descriptors. If too many connections
# were accepted in one go, the descriptors would run out, and the server would accept no connection for a
# second or longer.
MAX_ACCEPTED = 64
_MAX_WAIT_S = 20.0  # seconds after which a connection without a complete request is closed


class StudioProtocol(H11Protocol):
    """HTTP connection that is closed if no complete request arrives in time.

    If too many connections wait for a request, the connection that has waited longest is closed.
    """

    # Connections that wait for a request, each with the timer that will close it. The oldest comes first.
    waiting: ClassVar[dict[StudioProtocol, asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and self.cycle.more_body:
            # A part of an upload has arrived. Stop the timer, so that ``_wait`` starts a new one. A long
            # upload is then not stopped as long as its parts keep coming.
            self._stop_waiting()
        self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Start a timer if the connection waits for a request.

        Stop the timer if a request is being answered.
        """
        is_in_work = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if is_in_work or self.transport.is_closing():
            self._stop_waiting()
        elif self not in self.waiting:
            self.waiting[self] = self.loop.call_later(_MAX_WAIT_S, self.transport.abort)
            if len(self.waiting) > _MAX_WAITING:
                oldest = next(iter(self.waiting))
                # Remove the connection from the list now, because ``abort`` closes it a little later.
                oldest._stop_waiting()
                oldest.transport.abort()

    def _stop_waiting(self) -> None:
        if timer := self.waiting.pop(self, None):
            timer.cancel()


class _Once(logging.Filter):
    """Logging filter that removes repeated messages."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        is_new = message not in self._said
        self._said.add(message)
        return is_new


def say_once() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Make the server log each different message only once.

    Returns:
        A handler for errors of the event loop that logs them in the same way.
    """
    logger = logging.getLogger("uvicorn.error")
    logger.addFilter(_Once())

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        logger.error("%s: %s", context.get("message", "an error"), context.get("exception", ""))

    return handle


_SECURITY_HEADERS = {
    b"content-security-policy": (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        b"connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}
# Content-Security-Policy of the page to play a puzzle. The page contains its scripts, styles and fonts, so it
# may not load anything else.
_PLAY_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_GET_REQUESTS = (
    "shelf", "thumbnail", "front", "form", "settings", "events", "book", "problems", "outlook",
    "pages", "drawing", "puzzle", "samples", "file", "zip", "finished", "tile", "calendar", "month", "day",
    "day_board", "image", "play", "medium", "font", "board", "settings_list", "regions", "where",
)  # fmt: skip
_POST_REQUESTS = (
    "new", "change", "text", "undo", "redo", "build", "stop", "changes", "listing", "picture", "file_change",
    "show_folder", "saved", "closed",
)  # fmt: skip
# Height of thumbnails in pixels. It is twice the height on the page, for screens of high resolution.
_THUMBNAIL_PX = 340
_MAX_REQUEST_BYTES = 4 << 20
_MAX_PICTURE_BYTES = 64 << 20
_SHOWN_SUFFIXES = {".pdf", ".epub", ".txt", ".json"}
T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]


class Gate:
    """Middleware that admits only windows of this studio, and adds security headers to every answer.

    The path of every address begins with a secret key. A cookie would not be secret, because browsers send it
    to all programs on this machine that serve web pages.

    Args:
        app: the application that gets the admitted requests. The key is removed from their paths.
        token: a secret with which a browser requests the key. It works only once, because other users of the
            machine can read it in the command line of the browser.
        key: the secret key, which is the first part of every path.
    """

    def __init__(self, app: ASGIApp, token: str, key: str) -> None:
        self._app = app
        self._token: str | None = token
        self._key = key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(Request(scope))

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] += [pair for pair in _SECURITY_HEADERS.items() if pair[0] not in present]
            await send(message)

        path = scope["path"].removeprefix(f"/{self._key}")
        inner = {**scope, "path": path, "raw_path": path.encode()}
        await (refusal or self._app)(inner, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        """Return None if a request is allowed, and otherwise the response to send.

        A request with the token, which works only once, is redirected to an address that begins with the
        secret key.
        """
        server = request.scope.get("server") or ("127.0.0.1", 0)
        hosts = {f"{name}:{server[1]}" for name in ("127.0.0.1", "localhost")}
        origin = request.headers.get("origin")
        if request.headers.get("host") not in hosts:
            return Response("another host", 421)
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return Response("another origin", 403)
        if self._token and _is_same(request.query_params.get("token", ""), self._token):
            self._token = None
            return RedirectResponse(f"/{self._key}/", 303)
        # Browsers request this icon of their own accord. Answer that there is none, because the page names
        # its own icon.
        if request.url.path == "/favicon.ico":
            return Response(status_code=204)
        parts = request.url.path.split("/", 2)
        if len(parts) < 3 or parts[0] or not _is_same(parts[1], self._key):
            return Response("Open the address that linkpress studio printed.", 403)
        return None


def _is_same(text: str, secret: str) -> bool:
    return secrets.compare_digest(text.encode("utf-8", "replace"), secret.encode())


def studio_app(session: Session, token: str, key: str) -> Starlette:
    """Return the web application for a session.

    Args:
        session: the state of the running studio.
        token: a secret that works once, with which a browser requests the key.
        key: the secret key, which is the first part of every path.
    """
    answers = _Answers(session)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(session.watch()), asyncio.create_task(session.end_when_idle())]
        yield
        for task in tasks:
            task.cancel()
        await session.close()

    routes: list[BaseRoute] = [
        Route("/", answers.window),
        Route("/fonts.css", answers.font_rules),
        Mount("/web", StaticFiles(directory=WEB)),
        Mount("/fonts", StaticFiles(directory=resource("fonts"))),
        Mount("/examples", StaticFiles(directory=resource("docs", "pictures"))),
    ]
    for method, names in (("GET", _GET_REQUESTS), ("POST", _POST_REQUESTS)):
        for name in names:
            answer = _with_refusals(getattr(answers, name), session.folder)
            routes.append(Route(f"/api/{name}", answer, methods=[method]))
    return Starlette(routes=routes, middleware=[Middleware(Gate, token=token, key=key)], lifespan=lifespan)


def _with_refusals(answer: Answer, folder: Path) -> Answer:
    """Wrap a function that answers requests. If the function raises an error, its message is sent as JSON.

    In the message, files in the studio's folder are named by their path relative to the folder.
    """

    async def answer_or_refuse(request: Request) -> Response:
        try:
            return await answer(request)
        except ConflictError as error:
            if error.change is None:
                return JSONResponse({"refused": say("conflict"), "html": clash_html(error.clashes)}, 409)
            [(theirs, own)] = error.clashes
            theirs, own = theirs or say("none"), own or say("none")
            words = say("keyClash", theirs=theirs, value=own)
            html = key_clash_html(error.change.path, error.change.value, own, theirs)
            return JSONResponse({"refused": words, "html": html}, 409)
        except (RefusedError, LinkpressError) as error:
            message, status = str(error), 422
        except OSError as error:
            message, status = explanation(error), 422
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:
            message, status = f"this is no valid request: {error}", 400
        for place in (folder.resolve(), folder):
            message = message.replace(f"{place}{os.sep}", "")
        return JSONResponse({"refused": message}, status)

    return answer_or_refuse


async def _json_body(request: Request) -> dict[str, Any]:
    # Accept only requests with the media type ``application/json``. Browsers don't let a form on another
    # website send requests of this type, so other websites can't change a book.
    large = "This is larger than 4 MB, and the file of a book may have 1 MB. Nothing was changed."
    body = parse_json(await _body(request, "application/json", _MAX_REQUEST_BYTES, large))
    if not isinstance(body, dict):
        raise ValueError("a JSON object is needed")
    return body


async def _body(request: Request, media_type: str, limit: int, large: str) -> bytes:
    """Return the body of a request.

    Args:
        request: the request.
        media_type: the media type that the body must have.
        limit: the maximum length in bytes.
        large: the message if the body is longer.
    Raises:
        RefusedError: the body is too long.
    """
    if request.headers.get("content-type") != media_type:
        raise ValueError(f"{media_type} is needed")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise RefusedError(large)
    return bytes(body)


class _Answers:
    """Answers to requests. The method ``shelf``, for example, answers requests to ``/api/shelf``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def window(self, request: Request) -> Response:
        page = (WEB / "studio.html").read_text(encoding="utf-8")
        page = re.sub(r' data-icon="(\w+)">', lambda found: f">{icon(found[1])}", page)
        filled = re.sub(r' data-word="([\w.]+)">', lambda found: f">{say(found[1])}", page)
        return Response(filled, media_type="text/html")

    async def font_rules(self, request: Request) -> Response:
        return Response(font_face_rules("fonts"), media_type="text/css")

    async def shelf(self, request: Request) -> Response:
        """List the specs of the folder, the last changed first, and the examples for a new book."""
        session = self._session
        await session.note_window(request.query_params.get("window", ""), "")
        listed = await to_thread.run_sync(lambda: list(list_specs(session.folder, session.out)))
        listed.sort(key=lambda spec: max(spec.version, int(spec.cover or 0)), reverse=True)
        specs = [vars(spec) | session.shelf_facts(spec.path) for spec in listed]
        examples = [*example_books(), NEWSPAPER]
        trash, questions = list_trash(session.folder), guided_choices()
        html = shelf_html(session.folder.resolve(), specs, trash, examples, questions)
        return JSONResponse({"html": html, "specs": specs, "trash": trash})

    async def thumbnail(self, request: Request) -> Response:
        """Draw the front of a built book's cover.

        If the query has the parameter ``large``, the drawing is three times as high as usual.
        """
        path, out = self._session.path(request.query_params["file"]), self._session.out
        document = await to_thread.run_sync(_last_good, path, out)
        cover = built_cover(path, out, document)
        if cover is None or document.model is None:
            raise RefusedError("this book has no cover yet")
        height_px = _THUMBNAIL_PX * (3 if "large" in request.query_params else 1)
        png = await to_thread.run_sync(_front_png, cover, document.model.page.trim.size.width_pt, height_px)
        # The browser may cache the picture, because its address contains the modification time of the cover.
        return Response(png, media_type="image/png", headers={"cache-control": "private, max-age=86400"})

    async def front(self, request: Request) -> Response:
        """Draw the front of a book's cover, or the next board of a feed, as SVG."""
        name = self._name(request.query_params)
        svg = await self._session.call_with_spec(name, lambda spec: spec.front_svg())
        await self._session.forget_unseen(name)
        # The address of the drawing changes when the spec changes. It stays the same when a picture of the
        # book changes or a new day begins. So the browser must ask again each time.
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    async def form(self, request: Request) -> Response:
        form = feed_form if request.query_params.get("kind") == "feed" else book_form
        return JSONResponse(await to_thread.run_sync(form))

    async def settings(self, request: Request) -> Response:
        """Return the form for the settings of one part of a book or feed as HTML."""
        query = request.query_params
        state = await self._state(self._name(query), query["part"])
        return JSONResponse({key: state[key] for key in ("version", "form", "formOf")})

    async def settings_list(self, request: Request) -> Response:
        """List the parts and settings of a book or feed, among which the user can search.

        Each entry has its label. It also has the name of the part, or the key of the setting, that the window
        opens when the user chooses the entry.
        """

        def listed(spec: OpenBook | OpenFeed) -> list[tuple[str, list[Any]]]:
            kind, values = "book" if isinstance(spec, OpenBook) else "feed", spec.file.state()["values"]
            form = book_form() if kind == "book" else feed_form()
            parts = [(part["title"], ["part", part["name"]]) for part in part_list(kind, values)]
            return [*parts, *((label, ["key", path]) for label, path in setting_labels(form, values))]

        return JSONResponse(await self._session.call_with_spec(self._name(request.query_params), listed))

    async def events(self, request: Request) -> Response:
        """Send events to a window until it is closed.

        Events tell the window, for example, that a file has changed or how far a build is.
        """
        headers = {"cache-control": "no-store"}
        return StreamingResponse(self._session.listen(), media_type="text/event-stream", headers=headers)

    async def book(self, request: Request) -> Response:
        """Return the text of a book's or feed's spec, and the values of its keys.

        The parameter ``free`` of the request is the user's answer to a question about solid squares. The
        answer is passed to ``OpenBook.read_rough``, which explains the question.
        """
        query = request.query_params
        name, free = self._name(query), query.get("free")
        await self._session.note_window(query.get("window", ""), name)
        if isinstance(await self._session.spec(name), OpenBook):
            of_free = None if free is None else free == "true"
            await self._session.call_with_book(name, lambda book: book.read_rough(of_free=of_free))
        return JSONResponse(await self._state(name, query.get("part", "")))

    async def problems(self, request: Request) -> Response:
        """Return the problems and the forecast of a book or feed."""
        name = self._name(request.query_params)

        def parts(spec: OpenBook | OpenFeed) -> tuple[Any, ...]:
            file = spec.file
            return spec.prepare_check(), spec.level_paths(), file.document.model, file.mending_facts()

        check, paths, model, mending = await self._session.call_with_spec(name, parts)
        result = await to_thread.run_sync(check)
        found = result["problems"]
        html = tag("p", say("problems_some")) + problems_html(found, name, mending)
        if model and any(problem["key"] == ["cover", "image"] for problem in found):
            html += picture_ways_html(model.source.value)
        html = html if found else tag("p.good", say("problems_none"))
        outlook = with_html(result["outlook"], paths, name)
        # ``faults`` maps each part of the book that has a problem to the words "has problems". ``hopes`` maps
        # each level whose puzzles can't be made, or probably can't, to words that say so.
        faults = {"/".join(map(str, problem["key"][:2])): say("hasProblem") for problem in found}
        hopes = {
            "/".join(map(str, paths[level["name"]])): say(level["state"])
            for level in result["outlook"]
            if level["state"] and level["name"] in paths
        }
        count = say("problemsOne" if len(found) == 1 else "problemsMany", count=len(found)) if found else ""
        facts = {"html": html, "outlook": outlook, "faults": faults | hopes, "hopes": hopes, "told": count}
        return JSONResponse({**result, **facts})

    async def outlook(self, request: Request) -> Response:
        """Forecast how difficult the boards of a level, or of all weekdays, would be after a change of a key.

        The spec is not changed. The user sees the forecast while moving a slider. So this request doesn't
        wait for other requests with the same spec.
        """
        query = request.query_params
        change = Change(query["kind"], tuple(json.loads(query["path"])), json.loads(query["value"]))
        spec = await self._session.spec(self._name(query))
        return JSONResponse(await to_thread.run_sync(lambda: with_html(*spec.outlook_after(change))))

    async def pages(self, request: Request) -> Response:
        """Return facts about the pages of a book, such as their size, their number and their small pictures.

        If puzzles of the book are missing, also start a job that makes them.
        """
        name, edition = self._name(request.query_params), request.query_params.get("edition", "")

        def facts(book: OpenBook) -> tuple[dict[str, Any], bool]:
            view = book.view(edition)
            of_all = book.view(has_new_puzzles=False)
            fonts = {"fonts": _font_rules(view, {"file": name, "edition": edition})}
            found = view.facts()
            count = len(found["waiting"])
            found["making"] = say("making" if count > 1 else "makingOne", count=count) if count else ""
            query = {"file": name, "edition": edition, "what": "page"}
            found["tiles"] = [
                {"src": f"api/tile?{urlencode({**query, 'number': number, 'of': tile['of']})}", **tile}
                for number, tile in enumerate(view.tiles, 1)
            ]
            chooser = {"chooser": editions_html(of_all, name, found["look"])}
            chooser["media"] = media_html(view.spec)
            chooser["told"] = edition_note_html(of_all.spec, view.spec, edition)
            # Send the galleries only if the look of the book has changed since the window got them.
            if request.query_params.get("look") != found["look"]:
                found["galleries"] = galleries_html(view, name, found)
            return found | chooser | fonts, book.file.is_saved

        found, is_saved = await self._call(request, facts)
        # The job reads the spec's file. So start it only if the file has the current text.
        if found["waiting"] and is_saved:
            await self._session.make_missing(name)
        return JSONResponse(found)

    async def drawing(self, request: Request) -> Response:
        """Return a drawing as SVG. For a page or the cover, HTML is appended to the SVG; see ``page_html``.

        The query's parameter ``place`` names the HTML element of the window that will show the drawing. If
        the window has sent a newer request for the same element, the response is empty.
        """
        query = request.query_params
        name, what, number = self._name(query), query["what"], int(query.get("number", 0))
        is_outdated = self._session.begin_request(
            f"{what} {number} of {name} by {query.get('window')} {query.get('place')}"
        )

        def draw(book: OpenBook) -> str:
            if is_outdated() or (what == "front" and not book.has_view):
                return ""
            # During a build, new puzzles are made all the time. The window first requests facts about the
            # pages. This request lays out the book with the new puzzles. For the drawings that it requests
            # next, don't lay out the book again, even if there are newer puzzles.
            view = book.view(query.get("edition", ""), has_new_puzzles=False)
            if query.get("colours") == "screen":
                view = replace(view, printed_colours=False)
            if what not in ("page", "screen", "cover"):
                return _draw(view, what, number)
            values, edition = book.file.state()["values"], query.get("edition", "")
            return view.page_html(
                what,
                number,
                place=query.get("place", ""),
                edition=edition,
                values=values,
                marks="marks" in query,
            )

        return Response(await self._call(request, draw), media_type="image/svg+xml")

    async def regions(self, request: Request) -> Response:
        """List the areas of a page on which a click opens a setting. Lengths are in points.

        The answer also has the version of the page's drawing.
        """
        query = request.query_params
        what, number = query["what"], int(query.get("number", 0))

        def facts(view: BookView) -> dict[str, Any]:
            regions = view.regions(what, number)
            return {"version": view.key, "regions": [region_facts(region) for region in regions]}

        return JSONResponse(await self._call_view(request, facts))

    async def where(self, request: Request) -> Response:
        """Return the first page on which a key has an effect, and the areas of the page that it controls.

        If a key controls no area, the result is for the nearest key above it that controls one. Positions are
        in points. In the request, the steps of the key are separated by dots, as in ``levels.2.per_page``.
        """
        steps = request.query_params["key"].split(".")

        def facts(view: BookView) -> dict[str, Any]:
            what, number, found = view.where(tuple(int(step) if step.isdecimal() else step for step in steps))
            areas = [region.box for region in found]
            return {"version": view.key, "what": what, "number": number, "areas": areas}

        return JSONResponse(await self._call_view(request, facts))

    async def tile(self, request: Request) -> Response:
        """Return a small drawing as SVG.

        The query's parameter ``what`` selects the drawing: ``page`` for a page, ``front`` for the front
        cover, ``design`` for the front cover in another design, ``theme`` for an answer in another theme, or
        ``look`` for a page with puzzles in another theme.
        """
        query = request.query_params
        if query["what"] == "page":
            page, key, edition = int(query["number"]), query.get("of", ""), query.get("edition", "")
            view = await self._call(request, lambda book: book.tile_view(page, key, edition))
        else:
            view = await self._call_view(request, lambda view: view)
        draw = {
            "theme": lambda: view.theme_svg(query["name"]),
            "look": lambda: view.page_in_theme_svg(query.get("name", "")),
            "design": lambda: view.design_svg(query.get("palette"), query["name"]),
            "front": lambda: view.front_svg,
            "page": lambda: view.thumbnail_svg(int(query["number"])),
        }[query["what"]]
        svg = await to_thread.run_sync(draw)
        # The browser may cache the drawing, because every different drawing has a different address.
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})

    async def board(self, request: Request) -> Response:
        """Draw a board that a level could have if the user accepted a suggested change.

        If no such board is found in a few attempts, hatched squares are drawn.
        """
        query = request.query_params
        book, index, keys = await self._session.book(self._name(query)), int(query["level"]), query["keys"]
        svg = ""
        with contextlib.suppress(LinkpressError, LookupError):
            svg = await to_thread.run_sync(book.way_board, index, json.loads(keys))
        svg = svg or hatched_svg(int(query["rows"]), int(query["cols"]))
        # The browser may cache the drawing. A drawing of another level, or after another change, has
        # a different address.
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})

    async def puzzle(self, request: Request) -> Response:
        number = int(request.query_params["number"])
        return JSONResponse(await self._call_view(request, lambda view: _puzzle_facts(view, number)))

    async def samples(self, request: Request) -> Response:
        """Return three sample boards of a level. Stop early if the window sends a newer request for them."""
        query = request.query_params
        name, index = self._name(query), int(query["level"])
        window = f"samples {index} of {name} by {query.get('window')}"
        is_outdated = self._session.begin_request(window, (query.get("of"), query.get("turn")))
        book = await self._session.book(name)
        boards = await to_thread.run_sync(book.samples, index, is_outdated, int(query.get("turn", 0)))
        return JSONResponse({"boards": boards, "html": boards_html(boards)})

    async def play(self, request: Request) -> Response:
        """Return a web page on which one puzzle can be played."""
        number = int(request.query_params["number"])
        page = await self._call_view(request, lambda view: view.play_html(number))
        return Response(page, media_type="text/html", headers={"content-security-policy": _PLAY_POLICY})

    async def medium(self, request: Request) -> Response:
        """Return a web page: the e-book, or the page on which the puzzles can be played."""
        make = {"epub": BookView.ebook_html, "play": BookView.play_page}[request.query_params["what"]]
        page = await self._call_view(request, make)
        return Response(page, media_type="text/html", headers={"content-security-policy": _PLAY_POLICY})

    async def font(self, request: Request) -> Response:
        digest = request.query_params["digest"]
        fonts = await self._call_view(request, BookView.own_fonts)
        path = next((font.path for _, font in fonts if font.digest == digest), None)
        if path is None:
            raise RefusedError("the book has no such font")
        return FileResponse(path, media_type="font/ttf")

    async def calendar(self, request: Request) -> Response:
        """Return a month or week of a feed as JSON data, and as HTML."""
        from linkpress.studio.feed_html import month_html

        query = request.query_params
        today, day = _dates(query, "today").first, _dates(query, "day").first
        name = self._name(query)

        def facts(feed: OpenFeed) -> dict[str, Any]:
            found = feed.calendar(today, day, query["span"])
            return {**found, **month_html(found, feed.values(), name)}

        return JSONResponse(await self._call_feed(request, facts))

    async def month(self, request: Request) -> Response:
        """Return the finished images of a feed's month or week as one ZIP."""
        query = request.query_params
        day, span = _dates(query, "day").first, query["span"]
        paths = await self._call_feed(request, lambda feed: feed.finished_images(day, span))
        if not paths:
            raise RefusedError(f"No image of this {span} is made yet.")
        zipped = await to_thread.run_sync(_zip_of, {path: path.name for path in paths})
        name = f"{Path(self._name(query)).stem}-{day:%Y-%m}" + f"-{day:%d}" * (span == "week")
        return _zip_response(zipped, name)

    async def day(self, request: Request) -> Response:
        """Return the panel that shows a day of a feed, as JSON.

        The panel has tabs, such as ``puzzle`` and ``solution``. The JSON object maps the name of each tab to
        the HTML of the panel with this tab selected.
        """
        from linkpress.studio.feed_html import day_panels, empty_panel

        query = request.query_params
        today, day = _dates(query, "today").first, _dates(query, "day").first
        name = self._name(query)

        def panels(feed: OpenFeed) -> dict[str, str]:
            if not feed.has_puzzle(day, today):
                return {"puzzle": empty_panel(feed.values(), day.isoformat())}
            return day_panels(feed.spec, feed.values(), name, day, feed.day_facts(day))

        return JSONResponse(await self._call_feed(request, panels))

    async def day_board(self, request: Request) -> Response:
        """Draw the board of a feed's day as SVG."""
        day = _dates(request.query_params, "day").first
        svg = await self._call_feed(request, lambda feed: feed.board_svg(day))
        # The browser may cache the board, because its address has a digest of everything that is shown.
        headers = {"cache-control": "private, max-age=86400"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def image(self, request: Request) -> Response:
        """Return the image of a feed's puzzle of one day as a PNG."""
        from linkpress.images.image_settings import ImageKind

        day, kind = _dates(request.query_params, "day").first, ImageKind(request.query_params["what"])
        png = await self._call_feed(request, lambda feed: feed.image(day, kind))
        return Response(png, media_type="image/png")

    async def file(self, request: Request) -> Response:
        """Return a file of a built book or a made feed, to show in the browser or to save."""
        name, file = self._name(request.query_params), request.query_params["name"]
        disposition = "attachment" if "keep" in request.query_params else "inline"
        book = await self._session.spec(name)
        if not isinstance(book, OpenBook):
            path = await self._call_feed(request, lambda feed: feed.made_file(file))
            headers = {"content-security-policy": _PLAY_POLICY} if path.suffix == ".html" else None
            return FileResponse(
                path, filename=path.name, content_disposition_type=disposition, headers=headers
            )
        edition = request.query_params.get("edition", "")
        folder = book.built_folders.get(edition)
        if folder is None or Path(file).name != file or Path(file).suffix not in _SHOWN_SUFFIXES:
            raise RefusedError(f"{file}: there is no such file")
        path = folder / file
        if not path.is_file():
            raise RefusedError(f"{file}: there is no such file; build the book first")
        saved = saved_name(book.built_folders[""], file, edition)
        return FileResponse(path, filename=saved, content_disposition_type=disposition)

    async def zip(self, request: Request) -> Response:
        """Return all files of a built book as one ZIP.

        The files of each other edition are in a folder of their own.
        """
        folders = (await self._session.book(self._name(request.query_params))).built_folders
        folder = folders.get("")
        if not folder or not folder.is_dir():
            raise RefusedError("there are no files; build the book first")
        paths = {
            path: f"{edition}/{path.name}".lstrip("/")
            for edition, each in folders.items()
            for path in (each.iterdir() if each.is_dir() else ())
            if path.suffix in _SHOWN_SUFFIXES | {".html"}
        }
        return _zip_response(await to_thread.run_sync(_zip_of, paths), folder.name)

    async def finished(self, request: Request) -> Response:
        """Return HTML about a finished book: a screen with its files, and the steps that put it on sale.

        If the query has a price that the user is typing, the earnings are shown for this price.
        """
        query = request.query_params
        name = self._name(query)
        await self._session.book(name)
        build = self._session.build_state(name)["build"]
        if not build or not build["end"] or build["end"]["event"] != "done":
            raise RefusedError("the book is not built yet")

        from linkpress.app.marketing import shop_answers

        end, has_browser = build["end"], folder_command() is not None

        def parts(book: OpenBook) -> dict[str, str]:
            view = book.view()
            if "value" in query:
                path = tuple(json.loads(query["do"])[-1])
                change = Change("set", path, _figure(query["value"]))
                with contextlib.suppress(RefusedError):
                    tried = drawable_spec(book.file.document_after(change)) or view.spec
                    view = replace(view, volume=replace(view.volume, spec=tried))
            texts, missing = shop_answers(view.volume, view.plan, view.assets)
            return {
                "stage": finished_html(view, end, name, has_browser=has_browser, is_changed=book.is_changed),
                "title": selling_title(view.assets.profile),
                "panel": selling_html(view, end, build["saved"], texts, missing),
            }

        return JSONResponse(await self._call(request, parts))

    async def show_folder(self, request: Request) -> Response:
        """Show the folder of a built book in the file browser of this machine."""
        folder, command = (
            (await self._session.book(self._name(await _json_body(request)))).built_folder,
            folder_command(),
        )
        if not folder or not folder.is_dir():
            raise RefusedError("there are no files; build the book first")
        if command is None:
            raise RefusedError(say("folderIs", folder=folder))
        # Start the file browser in a new process session, so that Ctrl-C in the studio does not end it too.
        await asyncio.create_subprocess_exec(command, str(folder.resolve()), start_new_session=True)
        return JSONResponse({})

    async def new(self, request: Request) -> Response:
        """Write a new spec: from an example, from answers to questions, or with the text of another file."""
        body = await _json_body(request)
        folder = self._session.folder
        if "text" in body:
            await to_thread.run_sync(add_spec, folder, str(body["name"]), str(body["text"]))
            self._session.send_event("shelf")
            return JSONResponse({})
        like, title = str(body.get("like", "")), str(body["title"])
        answers = GuidedAnswers(**body["answers"]) if "answers" in body else None
        path = await to_thread.run_sync(create_spec, folder, like, title, answers)
        self._session.send_event("shelf")
        return JSONResponse({"file": path.relative_to(folder).as_posix()})

    async def file_change(self, request: Request) -> Response:
        """Copy, rename or discard a spec, give a spec new puzzles, or restore a spec from the trash.

        The key ``kind`` of the request selects what to do. A request to rename without a name gets the form
        that asks for the name. If the change can be undone, the answer has the key ``back`` with a request
        that undoes it.
        """
        body = await _json_body(request)
        session, kind = self._session, str(body["kind"])
        if kind == "restore":
            await to_thread.run_sync(restore_spec, session.folder, str(body["file"]))
            session.send_event("shelf")
            return JSONResponse({"html": "", "path": str(body["file"])})
        if kind == "rename" and "name" not in body:
            path = session.path(self._name(body))
            html = rename_html(path.stem, await to_thread.run_sync(spec_title, path))
            return JSONResponse({"html": html, "label": say("shelfMenu.rename")})
        title = str(body["title"]) if body.get("with_title") else ""
        back: dict[str, Any] = {}
        if kind == "rename":
            path = session.path(self._name(body))
            back = {"kind": kind, "name": path.stem, "is_back": True}
            if title:
                back |= {"with_title": "on", "title": await to_thread.run_sync(spec_title, path)}
        tasks: dict[str, Callable[[Path], Path]] = {
            "rename": lambda path: rename_spec(path, session.out, str(body["name"]), title),
            "discard": lambda path: discard_spec(session.folder, path),
            "reseed": reseed_spec,
            **dict.fromkeys(("copy", "new", "volume"), lambda path: copy_spec(path, kind)),
        }
        path = await session.call_with_file(self._name(body), tasks[kind])
        folder = session.folder / TRASH if kind == "discard" else session.folder
        name = path.relative_to(folder).as_posix()
        if kind == "discard":
            back = {"kind": "restore"}
        facts: dict[str, Any] = {"html": changed_html(kind, name), "path": name}
        if back and not body.get("is_back"):
            facts["back"] = {**back, "file": name}
        return JSONResponse(facts)

    async def change(self, request: Request) -> Response:
        """Change one key or list of a spec."""
        body = await _json_body(request)
        kind, path, value = str(body["kind"]), tuple(body["path"]), body.get("value")
        if path[:1] == ("price",):
            value = _figure(str(value or ""))
            kind = "set" if value else "unset"
        change = Change(kind, path, value)
        known = {"was": body["was"]} if "was" in body else {}

        def edit(spec: OpenBook | OpenFeed) -> None:
            if not isinstance(spec, OpenBook):
                spec.file.change(change, _editor(body), **known)
            elif told := spec.change(change, _editor(body), **known):
                loop.call_soon_threadsafe(
                    partial(self._session.send_event, "told", file=self._name(body), message=told)
                )

        loop = asyncio.get_running_loop()
        return await self._edit(body, edit)

    async def text(self, request: Request) -> Response:
        body = await _json_body(request)
        text, base, keep = str(body["text"]), str(body["base"]), str(body.get("keep", ""))
        return await self._edit(body, lambda spec: spec.file.replace_text(text, base, keep, _editor(body)))

    async def undo(self, request: Request) -> Response:
        """Undo the last change.

        If another window or program made the change, it is undone only if the request has the key ``anyway``.
        """
        body = await _json_body(request)
        window = None if body.get("anyway") else body.get("window")
        return await self._edit(body, lambda spec: spec.file.undo(window))

    async def redo(self, request: Request) -> Response:
        return await self._edit(await _json_body(request), lambda spec: spec.file.redo())

    async def changes(self, request: Request) -> Response:
        """Return HTML that lists how the text differs from the last text without problems."""

        def listed(spec: OpenBook | OpenFeed) -> str:
            return changes_html(spec.file.good_text(), spec.file.text)

        html = await self._session.call_with_spec(self._name(await _json_body(request)), listed)
        return JSONResponse({"html": html})

    async def build(self, request: Request) -> Response:
        """Start to build a book, or to make a newspaper feed's puzzles for some days."""
        body = await _json_body(request)
        name = self._name(body)
        if "from" in body:
            dates = _dates(body)
            await self._session.start("feed", name, dates.first.isoformat(), str(dates.days))
        else:
            await self._session.start("build", name)
        return JSONResponse({})

    async def listing(self, request: Request) -> Response:
        """Fill in a shop's upload form for a built book, and return its answers as HTML."""
        from linkpress.app.marketing import list_book, shop_answers

        name = self._name(await _json_body(request))
        book = await self._session.book(name)
        spec, folder = book.spec, book.built_folder
        if spec is None or folder is None:
            raise RefusedError("the book has problems. Solve them, and build it.")
        view = await self._session.call_with_book(name, OpenBook.view)

        def answers() -> str:
            listed = list_book(folder, spec_folder=spec.folder)
            # The window already shows the texts and the problems that ``shop_answers`` returns, so leave
            # them out here.
            texts, missing = shop_answers(view.volume, view.plan, view.assets)
            fields = {name: text for name, text in listed.fields.items() if name not in texts}
            return answers_html(fields, [each for each in listed.problems if each not in missing])

        return JSONResponse({"html": await to_thread.run_sync(answers)})

    async def picture(self, request: Request) -> Response:
        """Save an uploaded picture in the folder of a book, and return its file name.

        If another picture has its name, return a form that asks which of them to keep.
        """
        content = await _body(request, "application/octet-stream", _MAX_PICTURE_BYTES, say("pictureLarge"))
        query, folder = request.query_params, self._session.path(request.query_params["file"]).parent
        save = partial(save_picture, folder, query["name"], content, query.get("keep", ""))
        try:
            return JSONResponse({"name": await to_thread.run_sync(save)})
        except ConflictError:
            return JSONResponse({"html": same_name_html()})

    async def saved(self, request: Request) -> Response:
        """Record that the user saves a file of a finished book, or all its files as a ZIP."""
        body = await _json_body(request)
        self._session.note_saved(self._name(body), str(body["saved"]))
        return JSONResponse({})

    async def closed(self, request: Request) -> Response:
        """Record that the user has closed a window of the studio."""
        await self._session.note_window(str((await _json_body(request))["window"]), "")
        return JSONResponse({})

    async def stop(self, request: Request) -> Response:
        await self._session.stop(self._name(await _json_body(request)))
        return JSONResponse({})

    def _name(self, values: Mapping[str, Any]) -> str:
        """Return the path of the spec that a request names, relative to the studio's folder."""
        session = self._session
        return session.path(str(values["file"])).relative_to(session.folder).as_posix()

    async def _call(self, request: Request, task: Callable[[OpenBook], T]) -> T:
        return await self._session.call_with_book(self._name(request.query_params), task)

    async def _call_view(self, request: Request, task: Callable[[BookView], T]) -> T:
        """Call a function with the laid-out book, or with the edition that the request names."""
        edition = request.query_params.get("edition", "")
        return await self._call(request, lambda book: task(book.view(edition)))

    async def _call_feed(self, request: Request, task: Callable[[OpenFeed], T]) -> T:
        return await self._session.call_with_feed(self._name(request.query_params), task)

    async def _edit(
        self, body: dict[str, Any], edit: Callable[[OpenBook | OpenFeed], dict[str, Any] | None]
    ) -> Response:
        """Edit a spec, notify the other windows, and return the new state of the spec.

        The facts that ``edit`` returns are added to the state.
        """
        name = self._name(body)
        facts = await self._session.call_with_spec(name, edit) or {}
        state = await self._state(name, str(body.get("part", "")))
        if facts.get("isDone", True):
            window = body.get("window")
            self._session.send_event("changed", file=name, version=state["version"], window=window)
        return JSONResponse({**state, **facts})

    async def _state(self, name: str, part: str = "") -> dict[str, Any]:
        """Return the state of a spec, and the form for the settings of one of its parts as HTML."""

        def state(spec: OpenBook | OpenFeed) -> dict[str, Any]:
            kind = "book" if isinstance(spec, OpenBook) else "feed"
            facts = {
                "file": name,
                "kind": kind,
                **self._session.build_state(name, spec.file),
                **spec.file.state(),
            }
            facts["ask"] = facts["elsewhere"] or ask_html(kind)
            if isinstance(spec, OpenBook):
                facts["blocker"] = spec.blocker
            pictures = list_pictures(spec.file.path.parent) if part in ("cover", "whole") else []
            notes = {}
            if part in ("cover", "whole") and isinstance(spec, OpenBook) and spec.has_view:
                view, model = spec.view(), spec.file.document.model
                # If the pages can't be laid out after a change of the page settings, such as the printer, the
                # view still shows them with the earlier settings. Don't show costs in this case, because they
                # would be wrong.
                if part == "whole" and model and view.spec.page == model.page:
                    notes["page.paper"] = cost_html(view)
                if part == "cover" and model and view.spec.cover == model.cover:
                    notes["cover.image"] = picture_html(view)
            if part == "cover" and value_at(facts["values"], ("cover", "image")):
                ways = picture_ways_html(facts["values"])
                notes["cover.image"] = notes.get("cover.image", "") + ways
            form = settings_html(part, facts, spec.file.document, pictures, notes) if part else ""
            trim = getattr(getattr(spec.file.document.model, "page", None), "trim", None)
            return {
                **facts,
                "form": form,
                "formOf": part,
                "blank": blank_html(*trim.size) if trim else "",
                "mendingPanel": mending_html(facts),
                "note": note_html(facts),
                "parts": part_list(kind, facts["values"]),
                "rail": rail_html(kind, facts["values"]),
            }

        return await self._session.call_with_spec(name, state)


def _figure(price: str) -> str:
    """Return a price as the user has typed it, but without a currency sign at its start."""
    return re.sub(r"^[^\d.,-]+", "", price)


def folder_command() -> str | None:
    """Return the name or path of the program that shows a folder in the file browser.

    Return None if there is no such program, if the machine has no screen, or if the user works on another
    machine through SSH.
    """
    if "SSH_CONNECTION" in os.environ:
        return None
    if sys.platform in ("win32", "darwin"):
        return "explorer" if sys.platform == "win32" else "open"
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return shutil.which("xdg-open") if has_screen else None


def _editor(body: Mapping[str, Any]) -> Editor:
    focus = body.get("focus")
    return Editor(
        str(body.get("window") or ""), str(body.get("part") or ""), int(focus) if focus is not None else None
    )


def _dates(values: Mapping[str, Any], key: str = "from") -> FeedDates:
    """Read a first day and a number of days from a request. The default number is 1."""
    from linkpress.feeds.feed_spec import read_dates

    return read_dates(str(values[key]), int(values.get("days", 1)))


def _font_rules(view: BookView, query: dict[str, str]) -> str:
    """Return CSS ``@font-face`` rules for the user's fonts of a book.

    Args:
        view: the book.
        query: parameters that name the book, for the web addresses of the fonts.
    """
    rules = "@font-face {{ font-family: {}; font-weight: {}; src: url(api/font?{}); }}\n"
    return "".join(
        rules.format(json.dumps(family_of(font)), weight, urlencode({**query, "digest": font.digest}))
        for weight, font in view.own_fonts()
    )


def _puzzle_facts(view: BookView, number: int) -> dict[str, Any]:
    record = view.puzzle(number)
    facts = {
        **puzzle_facts(record, view.spec.wording()),
        "ledger": _ledger_place(record.fingerprint),
        "name": view.name_of(number),
    }
    return {**facts, "html": puzzle_html(number, facts)}


def _ledger_place(fingerprint: str) -> str:
    from linkpress.ledger.store import Ledger

    with contextlib.suppress(LinkpressError), Ledger(ledger_address(), writable=False) as ledger:
        entry = ledger.find(fingerprint)
        return str(entry.place) if entry else ""
    return ""


def _zip_of(paths: Mapping[Path, str]) -> bytes:
    """Return a ZIP. The argument maps the path of each file to its name in the ZIP."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, name in sorted(paths.items()):
            if path.is_file():
                archive.write(path, name)
    return stream.getvalue()


def _zip_response(zipped: bytes, name: str) -> Response:
    """Return a response with a ZIP. The browser saves it as ``name`` with the suffix ``.zip``."""
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}.zip"}
    return Response(zipped, media_type="application/zip", headers=headers)


def _last_good(path: Path, out: Path) -> Document[BookSpec]:
    """Read a spec file. If it has problems, read the saved copy of its last version without problems."""
    try:
        return read_spec(path)
    except SpecError:
        return read_spec(path, good_file(path, out).read_text(encoding="utf-8"))


def _front_png(cover: Path, width_pt: float, height_px: int) -> bytes:
    """Draw the front of a cover as a PNG.

    Args:
        cover: the PDF of the flat cover.
        width_pt: the width of the front, which is the right end of the trimmed cover.
        height_px: the height of the drawing.
    """
    import pypdfium2

    png = io.BytesIO()
    with pypdfium2.PdfDocument(cover) as document:
        page = document[0]
        left, bottom, right, top = page.get_trimbox()
        margins = max(left, right - width_pt), bottom, page.get_width() - right, page.get_height() - top
        page.render(scale=height_px / (top - bottom), crop=margins).to_pil().save(png, "PNG")
    return png.getvalue()


def _draw(view: BookView, what: str, number: int) -> str:
    match what:
        case "front":
            return view.front_svg if view.spec.cover else view.thumbnail_svg(1)
        case "answer":
            return view.answer_svg(number)
        case "steps":
            return view.steps_svg(number)
    raise RefusedError(f"{what}: there is no such drawing")
