"""The description of the API for programs: the OpenAPI document and its examples."""
