"""Serves the document of the interface: for programs as OpenAPI, for people as a page. It wants no key."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import msgspec
from flask import Response, render_template, request

from dealer_ui.api.document.openapi import document
from dealer_ui.api.document.page import draw
from dealer_ui.api.request.route import Route, Sheet

_OPENAPI: Final = Sheet("application/json", "This interface as OpenAPI 3.1.", "object", kept=True)
_PAGE: Final = Sheet("text/html; charset=utf-8", "A page that needs neither a script nor the internet.", kept=True)
_PLAIN_POLICY: Final = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'"


def with_document(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes, and those that tell of them and of themselves."""
    desk = DocumentDesk()
    told = (
        Route("GET", "/openapi.json", desk.openapi, gives=_OPENAPI, keyed=False),
        Route("GET", "/docs", desk.docs, gives=_PAGE, keyed=False),
    )
    desk.routes.extend((*routes, *told))
    return tuple(desk.routes)


@dataclass(slots=False)
class DocumentDesk:
    """It is made when it is first asked for, and kept."""

    routes: list[Route] = field(default_factory=list)

    def openapi(self) -> Response:
        """This interface as a document, for programs: what is told here is what is checked."""
        return self._kept(self._json, "application/json")

    def docs(self) -> Response:
        """The same document as a page, for people."""
        answer = self._kept(self._page, "text/html; charset=utf-8")
        answer.headers["Content-Security-Policy"] = _PLAIN_POLICY
        return answer

    @cached_property
    def _document(self) -> dict[str, Any]:
        return document(self.routes)

    @cached_property
    def _json(self) -> bytes:
        return msgspec.json.encode(self._document)

    @cached_property
    def _page(self) -> bytes:
        return render_template("document.html", page=draw(self._document)).encode()

    @staticmethod
    def _kept(body: bytes, content_type: str) -> Response:
        answer = Response(body, content_type=content_type)
        answer.headers["Cache-Control"] = "no-cache"
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.set_etag(hashlib.sha256(body).hexdigest())
        answer.make_conditional(request)
        return answer
