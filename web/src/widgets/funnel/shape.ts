import type { FunnelBar } from "../../charts/FunnelBars.tsx";
import { exact } from "../../core/numbers.ts";
import type { Answers, Configs, DataTable } from "../definition.ts";
import { WITHOUT_GROUPS } from "../words.ts";

type Answer = Answers["funnel"];

/** Return the bars of a funnel: of all, or of one label of its breakdown. */
export function barsOf({ steps, series }: Answer, label: string | null): FunnelBar[] {
  const chosen = label === null ? steps : (series?.find((each) => each.label === label)?.steps ?? steps);
  return chosen.map(({ event, count, rate, stepRate, medianSecondsFromPrevious, times }) => ({
    label: event,
    count,
    rate,
    stepRate,
    medianSeconds: medianSecondsFromPrevious,
    times,
  }));
}

/** Say whom a funnel counts and how long they may take: "actors · 7-day window". */
export function noteOf({ windowHours = 168, count: wanted }: Configs["funnel"], { count }: Answer): string {
  const length = windowHours % 24 === 0 ? `${exact(windowHours / 24)}-day` : `${exact(windowHours)}-hour`;
  const counted = count === "group" ? "groups" : wanted === "group" ? WITHOUT_GROUPS : "actors";
  return `${counted} · ${length} window`;
}

/** Say which number of a funnel is meant: "reached track.play", "stopped after voice.join". */
export function spotInWords({ steps }: Answer, step: number, outcome: "reached" | "dropped"): string {
  const name = steps[step - 1]?.event ?? "";
  return outcome === "reached" ? `reached ${name}` : `stopped after ${name}`;
}

/** Return a funnel as a table; each label of a breakdown has rows of its own. */
export function tableOf({ steps, series = [] }: Answer): DataTable {
  const parts = [{ label: "All", steps }, ...series];
  const hasLabels = series.length > 0;
  return {
    columns: [
      ...(hasLabels ? [{ label: "Label", numeric: false }] : []),
      { label: "Step", numeric: false },
      { label: "Median seconds", numeric: true },
      { label: "% of first", numeric: true },
      { label: "Count", numeric: true },
    ],
    rows: parts.flatMap((part) =>
      part.steps.map(({ event, count, rate, medianSecondsFromPrevious }, number) => [
        ...(hasLabels ? [part.label] : []),
        `${number + 1}. ${event}`,
        medianSecondsFromPrevious,
        Math.round(rate * 1_000) / 10,
        count,
      ]),
    ),
  };
}
