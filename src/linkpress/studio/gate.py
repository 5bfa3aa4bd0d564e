"""The gate of the studio says who is let in, and what every answer says to the browser."""

from __future__ import annotations

import secrets
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "linkpress_studio"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_SAFE = {
    b"content-security-policy": _POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


class Gate:
    """A gate lets in only windows of this start, which know its token, and makes every answer safe."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = self._refusal(Request(scope))

        async def send_safely(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] += [pair for pair in _SAFE.items() if pair[0] not in given]
            await send(message)

        await (answer or self._app)(scope, receive, send_safely)

    def _refusal(self, request: Request) -> Response | None:
        server = request.scope.get("server") or ("127.0.0.1", 0)
        hosts = {f"{name}:{server[1]}" for name in ("127.0.0.1", "localhost")}
        origin = request.headers.get("origin")
        if request.headers.get("host") not in hosts:
            return Response("another host", 421)
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return Response("another origin", 403)
        if request.url.path == "/" and self._is_token(request.query_params.get("token", "")):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        if not self._is_token(request.cookies.get(COOKIE, "")):
            return Response(
                "Open the address that linkpress studio printed: it has the key to this page.", 403
            )
        return None

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "replace"), self._token.encode())
