"""The description of an export in the API reference."""

from dataclasses import dataclass

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema

from tallyroom.events.export.formats import EXPORT_FORMATS


@dataclass
class ExportOperation(Operation):
    """The API reference's entry for a route that responds with such a file."""

    def __post_init__(self) -> None:
        """Name the media types of the file."""
        content = {
            export_format.media_type.partition(";")[0]: OpenAPIMediaType(Schema(type=OpenAPIType.STRING))
            for export_format in EXPORT_FORMATS.values()
        }
        self.responses = {"200": OpenAPIResponse("The events, as a file.", content=content)}
