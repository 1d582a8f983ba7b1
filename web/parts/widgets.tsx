import "../src/ui/layers.css";
import "../src/ui/reset.css";
import "../src/ui/tokens.css";
import "./widgets.css";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Suspense, useState, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { namesQuery } from "../src/api/names.ts";
import { makeQueryClient } from "../src/api/queries.ts";
import { questionQuery } from "../src/api/widgets.ts";
import { DataTableView } from "../src/charts/DataTableView.tsx";
import { DashboardContext } from "../src/widgets/DashboardContext.ts";
import type { Kind } from "../src/widgets/definition.ts";
import { definitionOf } from "../src/widgets/registry.ts";

const search = new URLSearchParams(location.search);
document.documentElement.dataset.theme = search.get("theme") ?? "light";

const TIMEZONE = "Europe/Berlin";
const say = (words: string) => (document.title = words);

/** Questions about the events that a server has, one for each picture. */
const QUESTIONS: { kind: Kind; config: object }[] = [
  { kind: "metric", config: { event: "track.play", measure: "count", overTime: true, compare: "previous", display: { good: "up" } } },
  { kind: "metric", config: { event: "track.play", measure: "count", overTime: true, breakdown: "provider", limit: 4, display: { chart: "bar" } } },
  { kind: "metric", config: { event: "track.play", measure: "count", breakdown: "provider", limit: 4, rest: "both" } },
  { kind: "metric", config: { event: "track.play", measure: "p95", property: "ms", display: { unit: "ms", good: "down", decimals: 0 } } },
  { kind: "formula", config: { a: { event: "track.play", measure: "count" }, b: { events: "all", measure: "count" }, expression: "a / b * 100", overTime: true, display: { unit: "%", decimals: 1 } } },
  { kind: "kpi", config: { items: [{ event: "track.play", measure: "count" }, { events: "all", measure: "uniq_actors", label: "People", good: "up" }, { event: "track.play", measure: "avg", property: "ms", label: "Average", good: "down" }] } },
  { kind: "table", config: { columns: ["time", "event", "actor", "prop:provider", "prop:ms"], rows: 8 } },
  { kind: "funnel", config: { steps: [{ event: "bot.invited" }, { event: "voice.join" }, { event: "track.play" }], breakdown: "provider" } },
  { kind: "retention", config: { cohortEvent: "track.play", granularity: "week" } },
  { kind: "histogram", config: { event: "track.play", property: "ms", display: { unit: "ms" } } },
  { kind: "heatmap", config: { event: "track.play", timezone: "Europe/Berlin" } },
  { kind: "note", config: { text: "# Before you read this\nSince `v4.2` playback starts **before** the queue is resolved.\n- ask *Okapi*\n- see [the notes](https://example.com)\n\n<script>alert(1)</script> [x](javascript:alert(1))" } },
];

function Widget({ kind, first }: { kind: Kind; first: object }): ReactNode {
  const [config, setConfig] = useState(first);
  const { data: names } = useQuery(namesQuery("production"));
  const { data, error } = useQuery({ ...questionQuery({ environment: "production", type: kind, config, timeRange: "30d" }), placeholderData: (before) => before });
  const definition = definitionOf(kind);
  if (!definition || !names) return null;
  const { Form, View, Aside, label } = definition;
  const known = { ...names, environment: "production", areKnown: true, groupKeys: [], segments: [], sources: [] };
  return (
    <section className="widget" aria-label={`${kind} ${JSON.stringify(first).slice(0, 40)}`}>
      <div className="form">
        <h2>{label}</h2>
        <Suspense>
          <Form config={config} names={known} onChange={setConfig} />
        </Suspense>
      </div>
      <div className="shown">
        {data && (
          <>
            <h3>
              {kind}: {definition.note(config, data)} {Aside && <Aside config={config} answer={data} />}
            </h3>
            <div className="view">
              <View title={`${label} of the page`} config={config} answer={data} rowCount={4} />
            </div>
            <div className="numbers">
              <DataTableView label="The same numbers" {...definition.table(data, config, TIMEZONE)} />
            </div>
          </>
        )}
        {error && <p>{error.message}</p>}
      </div>
    </section>
  );
}

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={makeQueryClient(() => undefined)}>
      <h1>Widgets</h1>
      <DashboardContext value={{ timezone: TIMEZONE, annotations: [], onSpot: (...spot) => say(JSON.stringify(spot)), onActor: say }}>
        {QUESTIONS.map(({ kind, config }, index) => (
          <Widget key={index} kind={kind} first={config} />
        ))}
      </DashboardContext>
    </QueryClientProvider>,
  );
}
