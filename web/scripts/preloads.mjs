// Writes preloads.json: for each page of members, the files that it needs besides those of the entry, and what it asks first.
// The server names them in the header of the page, so that they are on their way before the first script runs.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { filesOf, folder } from "./built.mjs";

const routesFolder = new URL("../src/app/routes/", import.meta.url);
const areas = readdirSync(routesFolder).map((name) => readFileSync(new URL(name, routesFolder), "utf8"));

const ROUTE = /getParentRoute: \(\) => member,\s+path: "([^"]+)",.*?import\("(?:\.\.\/)+([^"]+)"\)/gs;
/** What the routes ask for before they show anything. */
const IDENTITY = "/v1/auth/me";
const OF_ROUTE = { "/d/$id": ["/v1/dashboards/$id"], "/d/$id/w/$widgetId": ["/v1/dashboards/$id"] };

const ofEntry = filesOf(["index.html"]);

/** Returns what a page needs besides what its HTML names. */
function needed(page, requests) {
  const files = filesOf([`src/${page}`]);
  const more = (kind) => [...files[kind]].filter((file) => !ofEntry[kind].has(file)).map((file) => `/${file}`);
  return { scripts: more("scripts"), styles: more("styles"), requests };
}

const found = areas
  .flatMap((area) => [...area.matchAll(ROUTE)])
  .map(([, path, page]) => [path, needed(page, [IDENTITY, ...(OF_ROUTE[path] ?? [])])]);
if (found.length === 0) throw new Error("app/routes has no route of members");
writeFileSync(`${folder}/preloads.json`, JSON.stringify(Object.fromEntries(found), null, 1));
