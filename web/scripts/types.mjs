// Writes src/api/schema.gen.ts from the OpenAPI document on standard input: the paths that the app calls, no others.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const OURS = /^\/v1\/(?!traces|logs|metrics)|^\/readyz$/;
const HEADER = "// Generated from the server's OpenAPI document by `make web-types`; do not edit.\n\n";

const document = JSON.parse(readFileSync(0, "utf8"));
document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => OURS.test(path)));
for (const path of Object.values(document.paths)) {
  for (const operation of Object.values(path)) {
    delete operation.operationId; // so that each operation stands once, under its path
    delete operation.description;
  }
}
const text = HEADER + astToString(await openapiTS(document, { defaultNonNullable: false }));
writeFileSync(new URL("../src/api/schema.gen.ts", import.meta.url), text);
