// What functions of the app return and how it draws answers of widgets, as HTML, for the tests that compare both with the
// server: a line of JSON for each line of JSON. No browser measures a chart, so its order says how large it is.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createServer } from "vite";

let plotSize = null;
globalThis.plotSize = () => plotSize;

const givenSize = {
  name: "given-size",
  enforce: "pre",
  load: (id) => (id.endsWith("/charts/useSize.ts") ? "export const useSize = () => [{ current: null }, globalThis.plotSize()];" : null),
};

const vite = await createServer({
  root: fileURLToPath(new URL("..", import.meta.url)),
  plugins: [givenSize],
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  appType: "custom",
  logLevel: "error",
});
const load = (path) => vite.ssrLoadModule(`/src/${path}`);
const { drawableWidget } = await load("widgets/publicWidgets.ts");
const { definitionOf } = await load("widgets/registry.ts");
const { DashboardContext } = await load("widgets/DashboardContext.ts");
const { WidgetBody } = await load("widgets/WidgetBody.tsx");
// The app loads this one when it is first shown.
await definitionOf("funnel").View.load();

/** Call functions of one module; a Map becomes an object. */
async function call({ module, calls }) {
  const functions = await load(module);
  return calls.map(([name, ...values]) => {
    const value = functions[name](...values);
    return value instanceof Map ? Object.fromEntries(value) : value;
  });
}

/** Draw the answer in a widget's card: with a config as its members see it, without one as the public does. */
function draw({ widget, size, timezone }) {
  plotSize = size;
  const body = createElement(WidgetBody, { widget: widget.config ? widget : drawableWidget(widget), answer: widget.result, asTable: false });
  return renderToStaticMarkup(createElement(DashboardContext.Provider, { value: { timezone, annotations: [] } }, body));
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  const answer = order.module === undefined ? draw(order) : await call(order);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await vite.close();
