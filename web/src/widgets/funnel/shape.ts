import type { FunnelBar, StepOutcome } from "../../charts/FunnelBars.tsx";
import { filtersInWords } from "../../scope/filters.ts";
import { formatExact } from "../../core/numbers.ts";
import type { Answers, Configs, DataTable, SpotLine } from "../definition.ts";
import { seriesColorsOf } from "../labelColors.ts";
import { WITHOUT_GROUPS } from "../words.ts";

type Answer = Answers["funnel"];

/** Name the steps by their events, and by their filters where several have the same event; a public page has no config. */
export function stepNames({ steps }: Answer, config: Partial<Configs["funnel"]>): string[] {
  return steps.map(({ event }, index) => {
    const filters = filtersInWords(config.steps?.[index]?.filters);
    return filters && steps.filter((step) => step.event === event).length > 1 ? `${event}, ${filters}` : event;
  });
}

/** Return the bars of a funnel: of one label of its breakdown, or of all, split by its labels. */
export function barsOf(answer: Answer, config: Configs["funnel"], label: string | null): FunnelBar[] {
  const { steps, series } = answer;
  const activeSteps = label === null ? steps : (series?.find((part) => part.label === label)?.steps ?? steps);
  const names = stepNames(answer, config);
  const isSplit = activeSteps === steps && series !== undefined && series.length > 0;
  const colors = seriesColorsOf(series ?? [], config.display);
  return activeSteps.map(({ count, rate, waiting, medianSecondsFromPrevious, times }, index) => ({
    label: names[index] ?? "",
    count,
    parts: isSplit ? series.map((part, at) => ({ label: part.label, count: part.steps[index]?.count ?? 0, color: colors[at] ?? 1 })) : undefined,
    rate,
    waiting,
    medianSeconds: medianSecondsFromPrevious,
    times,
  }));
}

/** Say whom a funnel counts and how long they may take: "actors · 7-day window". */
export function noteOf({ windowHours = 168, count: countedUnit }: Configs["funnel"], { count }: Answer): string {
  const windowLength = windowHours % 24 === 0 ? `${formatExact(windowHours / 24)}-day` : `${formatExact(windowHours)}-hour`;
  const subject = count === "group" ? "groups" : countedUnit === "group" ? WITHOUT_GROUPS : "actors";
  return `${subject} · ${windowLength} window`;
}

const OUTCOMES: Record<StepOutcome, string> = { reached: "reached", stopped: "stopped after", waiting: "still have time after" };

/** Say which number of a funnel is meant: "reached track.play", "stopped after voice.join". */
export function spotInWords(names: readonly string[], step: number, outcome: StepOutcome): string {
  return `${OUTCOMES[outcome]} ${names[step - 1] ?? ""}`;
}

function countOf(steps: Answer["steps"], index: number, outcome: StepOutcome): number | null {
  const [step, nextStep] = [steps[index], steps[index + 1]];
  if (!step) return null;
  if (outcome === "reached") return step.count;
  return outcome === "waiting" ? step.waiting : step.count - step.waiting - (nextStep?.count ?? 0);
}

/** Return the numbers of a funnel: the steps, for each of what may become of an actor there. */
export function spotsOf(answer: Answer, config: Configs["funnel"]): SpotLine[] {
  const names = stepNames(answer, config);
  return (Object.keys(OUTCOMES) as StepOutcome[]).map((outcome) =>
    names.slice(0, outcome === "reached" ? undefined : -1).map((_, index) => ({
      spot: { step: index + 1, outcome },
      value: countOf(answer.steps, index, outcome),
      inWords: () => spotInWords(names, index + 1, outcome),
      format: formatExact,
    })),
  );
}

/** Return a funnel as a table; each label of a breakdown has rows of its own. */
export function tableOf(answer: Answer, config: Configs["funnel"]): DataTable {
  const { steps, series = [] } = answer;
  const names = stepNames(answer, config);
  const parts = [{ label: "All", steps }, ...series];
  const hasLabels = series.length > 0;
  return {
    columns: [
      ...(hasLabels ? [{ label: "Label", numeric: false }] : []),
      { label: "Step", numeric: false },
      { label: "Median seconds", numeric: true },
      { label: "% of first", numeric: true },
      { label: "Still have time", numeric: true },
      { label: "Count", numeric: true },
    ],
    rows: parts.flatMap((part) =>
      part.steps.map(({ count, rate, waiting, medianSecondsFromPrevious }, index) => [
        ...(hasLabels ? [part.label] : []),
        `${index + 1}. ${names[index] ?? ""}`,
        medianSecondsFromPrevious,
        Math.round(rate * 1_000) / 10,
        waiting,
        count,
      ]),
    ),
  };
}
