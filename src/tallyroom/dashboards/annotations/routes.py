"""GET and POST /v1/annotations, PATCH and DELETE /v1/annotations/:id."""

from typing import Annotated

from litestar import Response, Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody, QueryParameter

from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_ANNOTATING_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.annotations import service
from tallyroom.dashboards.annotations.schemas import AnnotationChange, AnnotationIn, AnnotationOut, AnnotationsOut
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session

Environment = Annotated[str, QueryParameter(name="environment", description="The environment of the annotations.")]
From = Annotated[
    str | None,
    QueryParameter(
        name="from", description="Start, inclusive: an ISO 8601 date or date-time, in UTC if it has no offset."
    ),
]
To = Annotated[str | None, QueryParameter(name="to", description="End, exclusive.")]


@get("/", guards=[require_member])
async def list_annotations(
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    environment: Environment,
    from_: From = None,
    to: To = None,
) -> AnnotationsOut:
    """The annotations of an environment by time: all, or those that overlap the time range from `from` to `to`."""
    return AnnotationsOut(await service.list_annotations(db, principal, environment, from_, to))


@post("/", guards=[require_developer], status_code=201)
async def create_annotation(
    data: JSONBody[AnnotationIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> Response[AnnotationOut]:
    """Mark a moment, or with `timeEnd` a period, on the charts of an environment.

    If the environment has an annotation with this `key`, the annotation is replaced, and the status is 200.
    """
    annotation, is_new = await service.put_annotation(db, principal, data, clock, ids)
    return Response(annotation, status_code=201 if is_new else 200)


@patch("/{annotation_id:str}", guards=[require_developer])
async def change_annotation(
    annotation_id: FromPath[str],
    data: JSONBody[AnnotationChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
) -> AnnotationOut:
    """Change an annotation; it stays in its environment."""
    return await service.change_annotation(db, principal, annotation_id, data)


@delete("/{annotation_id:str}", guards=[require_developer], status_code=204)
async def delete_annotation(
    annotation_id: FromPath[str], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> None:
    """Delete an annotation."""
    await service.delete_annotation(db, principal, annotation_id)


routes = Router(
    path="/v1/annotations",
    route_handlers=[list_annotations, create_annotation, change_annotation, delete_annotation],
    opt=TAKES_ANNOTATING_TOKENS,
    tags=["annotations"],
)
