import { useNavigate } from "@tanstack/react-router";
import { Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import { errorInWords } from "../../../api/words.ts";
import type { ChartSeries, TimeLine } from "../../../charts/series.ts";
import { type Metric, type TimeFrame, hasHours, metricInWords } from "../../../core/bots.ts";
import { Menu } from "../../../ui/Menu/Menu.tsx";
import { Segmented } from "../../../ui/Segmented/Segmented.tsx";
import { ErrorState } from "../../../ui/States/ErrorState.tsx";
import { BodySkeleton } from "../../../widgets/BodySkeleton.tsx";
import { HistoryPickers } from "../HistoryPickers.tsx";
import { HistoryTable } from "../HistoryTable.tsx";
import { RACE_VIEWS, type RaceView } from "./race.ts";
import styles from "./RaceCard.module.css";
import { RaceChart } from "./RaceChart.tsx";
import type { CrossingFlag } from "./RaceFlags.tsx";
import { VIEW_WORDS, crossingInWords, momentInWords, viewNote } from "./raceWords.ts";
import { SIGNS } from "./signedNumbers.ts";
import type { Race, RaceResult } from "./useRace.ts";

export interface RaceCardProps {
  result: RaceResult;
  metric: Metric;
  timeFrame: TimeFrame;
  view: RaceView;
}

const VIEW_OPTIONS = RACE_VIEWS.map((value) => ({ value, label: VIEW_WORDS[value] }));

/** The chart of a race, and the pickers of what it shows; the address has all of them. */
export function RaceCard({ result: { race, error, retry, isStale }, metric, timeFrame, view }: RaceCardProps) {
  const [isTableView, setIsTableView] = useState(false);
  const navigate = useNavigate();
  const chooseView = (nextView: RaceView) =>
    void navigate({ to: ".", search: (previous: object) => ({ ...previous, as: nextView }), resetScroll: false });
  const menuItems = [
    { label: isTableView ? "View as chart" : "View as table", icon: Table2, onSelect: () => setIsTableView(!isTableView) },
  ];
  return (
    <section className={styles.card} aria-label="Race" aria-busy={isStale || undefined}>
      <HistoryPickers metric={metric} timeFrame={timeFrame} menu={<Menu label="Race menu" items={menuItems} />}>
        <Segmented label="Show" value={view} onChange={chooseView} options={VIEW_OPTIONS} small />
      </HistoryPickers>
      <div className={styles.body}>
        {error ? (
          <ErrorState {...errorInWords(error)} onRetry={retry} />
        ) : !race ? (
          <BodySkeleton outline={{ form: "line", partCount: 1 }} />
        ) : race.line.times.length === 0 ? (
          <p className={styles.none}>No data yet. The chart starts with the first posted counter or vote.</p>
        ) : (
          <RaceView race={race} {...{ metric, timeFrame, view, isTableView }} />
        )}
      </div>
    </section>
  );
}

interface RaceViewProps extends Pick<RaceCardProps, "metric" | "timeFrame" | "view"> {
  race: Race;
  isTableView: boolean;
}

function RaceView({ race, metric, timeFrame, view, isTableView }: RaceViewProps) {
  const interval = hasHours(timeFrame) ? "hour" : "day";
  const { line, flags, missingNames } = useMemo(() => drawnRace(race, view), [race, view]);
  if (isTableView) return <HistoryTable label={metricInWords(metric)} line={race.line} interval={interval} />;
  const names = race.line.series.map(({ name }) => name);
  const baseTime = race.growth.baseBucket === null ? undefined : race.line.times[race.growth.baseBucket];
  const note = viewNote({
    view,
    names,
    baseMoment: baseTime === undefined ? null : momentInWords(baseTime, timeFrame),
    leader: race.gap.leader,
    missingNames,
  });
  return (
    <>
      <p className={styles.note}>{note}</p>
      {line.series.length > 0 ? <RaceChart title={metricInWords(metric)} line={line} sign={SIGNS[view]} interval={interval} flags={flags} /> : null}
    </>
  );
}

interface DrawnRace {
  line: TimeLine;
  /** Where one passed another. */
  flags: CrossingFlag[];
  /** The bots that have no line. */
  missingNames: string[];
}

/** Return what a view draws. */
function drawnRace(race: Race, view: RaceView): DrawnRace {
  const { line, values, growth, gap, crossings } = race;
  const viewLines = { value: values, growth: growth.lines, gap: gap.lines }[view];
  const names = line.series.map(({ name }) => name);
  const allSeries = line.series.map((bot, index) => ({ ...bot, values: viewLines[index] ?? [] }));
  const hasValues = (bot: ChartSeries): boolean => bot.values.some((value) => value !== null);
  const flags = crossings.map((crossing): CrossingFlag => {
    const time = line.times[crossing.bucket] ?? 0;
    return { time, label: crossingInWords(crossing, names, time) };
  });
  return {
    line: { ...line, series: allSeries.filter(hasValues) },
    flags,
    missingNames: allSeries.filter((bot) => !hasValues(bot)).map(({ name }) => name),
  };
}
