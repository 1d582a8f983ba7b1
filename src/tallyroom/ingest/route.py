"""The base of the ingest routes: plain ASGI applications that answer every request."""

import asyncio
from abc import ABC, abstractmethod

from litestar.types import HTTPScope, Receive, Send

from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.log import request_id_var
from tallyroom.ingest.admission import note_refusal
from tallyroom.ingest.body import ClientGone
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.request import IngestRequest
from tallyroom.rest.answer import HttpAnswer, build_refusal, send_answer


class IngestRoute(ABC):
    """One route."""

    def __init__(self, refusals: Refusals) -> None:
        self._refusals = refusals

    @abstractmethod
    async def _ingest(self, request: IngestRequest) -> HttpAnswer:
        """Run all steps of the request; any error becomes a refusal."""

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        """Answer one request and return the status; 0 if the client has disconnected."""
        client_address, raw_headers = scope["client"], list(scope["headers"])
        request = IngestRequest(
            client_address[0] if client_address else "", raw_headers, dict(raw_headers), request_id_var.get(), receive
        )
        try:
            answer = await self._ingest(request)
        except ClientGone:
            return 0
        except asyncio.CancelledError:  # the server stops and has waited long enough
            stopping_error = Unavailable("The server is stopping. Send the request again.")
            await send_answer(send, self._refuse(stopping_error, request))
            raise
        except Exception as error:  # noqa: BLE001 # the last resort: any error gets the one error shape
            answer = self._refuse(error, request)
        return await send_answer(send, answer)

    def _refuse(self, error: Exception, request: IngestRequest) -> HttpAnswer:
        return self._build_refusal(note_refusal(error, self._refusals, request), request)

    def _build_refusal(self, error: TallyroomError, request: IngestRequest) -> HttpAnswer:
        return build_refusal(error, request.request_id)
