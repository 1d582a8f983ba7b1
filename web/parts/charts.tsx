import "../src/ui/layers.css";
import "../src/ui/reset.css";
import "../src/ui/tokens.css";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { BigNumber } from "../src/charts/BigNumber.tsx";
import { DataTableView } from "../src/charts/DataTableView.tsx";
import { FunnelBars } from "../src/charts/FunnelBars.tsx";
import { HeatGrid } from "../src/charts/HeatGrid.tsx";
import { HistogramBars } from "../src/charts/HistogramBars.tsx";
import { RampKey } from "../src/charts/RampKey.tsx";
import { RankBars } from "../src/charts/RankBars.tsx";
import { RetentionTable } from "../src/charts/RetentionTable.tsx";
import type { ChartSeries, Mark, TimeLine } from "../src/charts/series.ts";
import { Sparkline } from "../src/charts/Sparkline.tsx";
import { TimeSeries } from "../src/charts/TimeSeries.tsx";
import { changeOf } from "../src/core/changes.ts";
import { goalProgressOf } from "../src/core/goals.ts";
import "./charts.css";

const DAY = 86_400_000;
const FIRST = Date.parse("2026-10-22T00:00:00Z");
const search = new URLSearchParams(location.search);
document.documentElement.dataset.theme = search.get("theme") ?? "light";

/** Numbers that look random and never change. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function wave(seed: number, base: number, spread: number, length = 30): number[] {
  const next = noise(seed);
  return Array.from({ length }, (_, index) => Math.max(0, Math.round(base + Math.sin((index / 7) * 2 * Math.PI) * spread + (next() - 0.5) * spread)));
}

const days = (length: number): number[] => Array.from({ length }, (_, index) => FIRST + index * DAY);
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function series(name: string, seed: number, base: number, spread: number): ChartSeries {
  const values = wave(seed, base, spread);
  return { name, values, total: sum(values) };
}

const lineOf = (all: ChartSeries[], isLastPartial = true): TimeLine => ({ times: days(30), series: all, partialBuckets: new Set(isLastPartial ? [29] : []) });

const compared: TimeLine = {
  ...lineOf([{ ...series("This period", 3, 62_000, 14_000), compared: wave(5, 52_000, 7_000), comparedTotal: 1_720_000 }]),
  comparedTimes: days(30).map((time) => time - 30 * DAY),
};
const marks: Mark[] = [
  { id: "1", label: "v4.2 released", description: "Playback starts before the queue is resolved.", color: "#2f72f4", time: FIRST + 13 * DAY, timeEnd: null },
  { id: "2", label: "Spotify outage", description: null, color: "#b91c1c", time: FIRST + 21 * DAY, timeEnd: FIRST + 22 * DAY },
  { id: "3", label: "Spotify recovered", description: null, color: "#019b62", time: FIRST + 21.3 * DAY, timeEnd: null },
];
const many = [38, 30, 20, 12, 8, 7, 5, 4, 3].map((base, index) => ({ ...series(`series ${index + 1}`, index + 1, base * 1_000, base * 200), isRest: index === 8 }));
const holes: TimeLine = lineOf([{ name: "p95", total: 842, values: wave(9, 900, 60).map((value, index) => (index === 4 || (index > 9 && index < 13) || index === 14 ? null : value)) }]);
const plans = [
  series("Free", 11, 2_300, 180),
  series("Plus", 12, 1_100, 70),
  series("Studio", 13, 520, 40),
  series("Partner", 14, 130, 10),
];
const commands = [19, 10, 7, 4, 3].map((base, index) => ({ ...series(["/play", "/queue", "/skip", "/lyrics", "/filter"][index] ?? "", index + 20, base * 1_000, base * 250), isRest: index === 4 }));
const big: TimeLine = {
  times: Array.from({ length: 50_000 }, (_, index) => FIRST + index * 60_000),
  series: [1, 2, 3, 4].map((seed) => ({ name: `series ${seed}`, total: null, values: wave(seed, seed * 1_000, 300, 50_000) })),
};
const cells = Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (_unused, hour) => Math.round(Math.max(0, Math.sin(((hour - 9) / 24) * 2 * Math.PI) + 0.9) * (day > 3 ? 2_600 : 1_900))));
const cohorts = [412, 438, 401, 467, 522, 566, 541, 318].map((size, index) => ({
  label: ["28 Sep", "5 Oct", "12 Oct", "19 Oct", "26 Oct", "2 Nov", "9 Nov", "16 Nov"][index] ?? "",
  size,
  returned: Array.from({ length: 7 - index }, (_, period) => Math.round(size * (0.5 - 0.06 * period + index * 0.01))),
}));
const buckets = Array.from({ length: 20 }, (_, index) => ({ from: index * 60, to: (index + 1) * 60, count: Math.round(4_000 * Math.exp(-(((index - 5) / 4) ** 2)) + 100) }));
const say = (...words: unknown[]): void => {
  document.title = words.join(" ");
};

function Card({ title, children, w = 8, rows = 2, aside }: { title: string; children: ReactNode; w?: number; rows?: number; aside?: ReactNode }): ReactNode {
  return (
    <section className="card" data-w={w} data-rows={rows}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

function Page(): ReactNode {
  const time = { interval: "day", timezone: "Europe/Berlin", onPoint: say } as const;
  return (
    <>
      <h1>Charts</h1>
      <div className="grid">
        <Card title="Tracks played">
          <TimeSeries {...time} title="Tracks played" line={compared} marks={marks} comparedName="Previous 30 days" good="up" onAnnotate={say} />
        </Card>
        <Card title="Where tracks come from" w={4}>
          <RankBars
            title="Where tracks come from"
            onRow={say}
            rows={[742_180, 561_904, 248_311, 161_207, 119_833, 64_120, 42_915].map((value, index) => ({ label: ["YouTube Music", "Spotify", "SoundCloud", "Apple Music", "Direct URL", "Bandcamp", "(none)"][index] ?? "", value, text: value.toLocaleString("en"), share: value / 1_940_470, isQuiet: index === 6 }))}
          />
        </Card>
        <Card title="Commands by type" w={6}>
          <TimeSeries {...time} title="Commands by type" line={lineOf(commands)} shape="bar" />
        </Card>
        <Card title="Invite to second song" w={6}>
          <FunnelBars
            title="Invite to second song"
            onStep={say}
            steps={[
              { label: "bot.invited", count: 1_942, rate: 1, waiting: 0, medianSeconds: null },
              { label: "voice.join", count: 1_588, rate: 0.8177, waiting: 14, medianSeconds: 360 },
              { label: "track.play", count: 1_391, rate: 0.7163, waiting: 0, medianSeconds: 48 },
              { label: "queue.add", count: 846, rate: 0.4356, waiting: 0, medianSeconds: 540 },
            ]}
          />
        </Card>
        <Card title="Servers that come back" aside={<RampKey maxLabel="100 %" />}>
          <RetentionTable title="Servers that come back" period="Week" cohorts={cohorts} onCell={say} />
        </Card>
        <Card title="Time to first sound" w={4}>
          <HistogramBars title="Time to first sound" buckets={buckets} unit="ms" rules={[{ value: 320, label: "p50" }, { value: 842, label: "p95 · 842 ms" }]} onBucket={say} />
        </Card>
        <Card title="When people listen" w={6} aside={<RampKey maxLabel="4,912" />}>
          <HeatGrid title="When people listen" cells={cells} onCell={say} />
        </Card>
        <Card title="Retention lines" w={6}>
          <RetentionTable title="Retention lines" period="Week" cohorts={cohorts} startsAsLines />
        </Card>
        <Card title="Active servers by plan">
          <TimeSeries {...time} title="Active servers by plan" line={lineOf(plans, false)} />
        </Card>
        <Card title="Numbers" w={4}>
          <BigNumber label="Listeners" value="48,213" change={changeOf(48_213, 44_102)} previous="44.1k" good="up" onClick={() => say("number")}>
            <Sparkline values={wave(1, 100, 20)} partialBuckets={new Set([29])} />
          </BigNumber>
          <BigNumber label="Time to first sound, p95" value="842" unit="ms" change={changeOf(842, 949)} previous="949" good="down" />
          <BigNumber label="Playback errors" value="2,118" change={changeOf(2_118, 607)} goal={goalProgressOf(2_118, 2_000, "down")} previous="607" good="down" />
        </Card>
        <Card title="Nine lines" w={6}>
          <TimeSeries {...time} title="Nine lines" line={lineOf(many)} />
        </Card>
        <Card title="Stacked area" w={6}>
          <TimeSeries {...time} title="Stacked area" line={lineOf(plans)} shape="area" thresholds={[{ value: 5_000, label: "Goal 5,000", kind: "goal" }]} />
        </Card>
        <Card title="Gaps, and a limit" w={4}>
          <TimeSeries {...time} title="Gaps, and a limit" line={holes} thresholds={[{ value: 980, label: "Limit 980 ms", kind: "limit" }]} />
        </Card>
        <Card title="Two days" w={4}>
          <TimeSeries {...time} title="Two days" line={{ ...lineOf([{ name: "Plays", values: [3, 5], total: 8 }]), times: days(2) }} shape="bar" />
        </Card>
        <Card title="One day, nothing" w={4}>
          <TimeSeries {...time} title="One day, nothing" line={{ ...lineOf([{ name: "Plays", values: [0], total: 0 }]), times: days(1) }} />
        </Card>
        <Card title="50,000 points" w={6}>
          <TimeSeries {...time} interval="minute" title="50,000 points" line={big} />
        </Card>
        <Card title="The same numbers" w={6}>
          <DataTableView label="The same numbers" columns={[{ label: "Day", numeric: false }, { label: "Free", numeric: true }]} rows={wave(2, 100, 20).map((value, index) => [`Day ${index + 1}`, value])} />
        </Card>
      </div>
    </>
  );
}

function Big(): ReactNode {
  return (
    <Card title="50,000 points" w={12}>
      <TimeSeries interval="minute" timezone="Europe/Berlin" title="50,000 points" line={big} />
    </Card>
  );
}

const root = document.getElementById("root");
if (root) {
  const start = performance.now();
  createRoot(root).render(search.has("big") ? <Big /> : <StrictMode><Page /></StrictMode>);
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => document.documentElement.setAttribute("data-painted", String(performance.now() - start));
    channel.port2.postMessage(null);
  });
}
