// Writes src/api/schema.gen.ts and src/core/names.gen.ts, or the same files in the folder that is named, from the
// OpenAPI document on standard input: the paths that the app calls, no others, and the names of measures and ranges.
import { writeFileSync } from "node:fs";
import { json } from "node:stream/consumers";
import openapiTS, { astToString } from "openapi-typescript";

const OURS = /^\/v1\/(?!traces|logs|metrics)|^\/readyz$/;
const HEADER = "// Generated from the server's OpenAPI document by `make web-types`; do not edit.\n\n";

const document = await json(process.stdin);
document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => OURS.test(path)));
for (const path of Object.values(document.paths)) {
  for (const operation of Object.values(path)) {
    delete operation.operationId; // so that each operation stands once, under its path
    delete operation.description;
    for (const response of Object.values(operation.responses)) {
      // The server keeps them in a set, whose order is another one in each process.
      if (response.headers) response.headers = Object.fromEntries(Object.entries(response.headers).sort());
    }
  }
}
const text = HEADER + astToString(await openapiTS(document, { defaultNonNullable: false }));
const asConstant = ([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;
const { measures, timeRanges } = document["x-names"];
const names = HEADER + Object.entries({ MEASURE_NAMES: measures, TIME_RANGE_NAMES: timeRanges }).map(asConstant).join("\n");
const folder = process.argv[2] ? new URL(`file://${process.argv[2]}/`) : new URL("../src/", import.meta.url);
writeFileSync(new URL("api/schema.gen.ts", folder), text);
writeFileSync(new URL("core/names.gen.ts", folder), names);
