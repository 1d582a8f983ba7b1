import { useQuery } from "@tanstack/react-query";
import { Table2, ZoomOut } from "lucide-react";
import { useMemo, useState } from "react";
import type { EventSelection } from "../../api/events.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { questionQuery } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { bucketName } from "../../core/time.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useMatches } from "../../ui/useMatches.ts";
import styles from "./Histogram.module.css";
import { HistogramPlot } from "./HistogramPlot.tsx";
import { HistogramTable } from "./HistogramTable.tsx";
import { type Histogram as Shown, histogramOf, timeRangeOfBars } from "./histogramBars.ts";
import { histogramQuestion } from "./questions.ts";

const REFRESH_MS = 30_000;
const PLOT_HEIGHT = 84;
/** The head of the card has no room for the colors. */
const NARROW = "(max-width: 899px)";

export interface HistogramProps {
  scope: Scope;
  selection: EventSelection;
  timezone: string;
  /** Whether the time range reaches up to now. */
  isFollowing: boolean;
  isReady: boolean;
}

/** How many events came when, by name. Dragging over bars, or the keyboard, chooses a shorter time range. */
export function Histogram({ scope, selection, timezone, isFollowing, isReady }: HistogramProps) {
  const query = questionQuery(histogramQuestion(selection, scope.timeRange));
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...query,
    enabled: isReady,
    placeholderData: placeholderFor(query.queryKey),
    refetchInterval: isFollowing ? REFRESH_MS : false,
  });
  const [isTableView, setIsTableView] = useState(false);
  const [barIndex, setBarIndex] = useState<number | null>(null);
  const histogram = useMemo(() => (data ? histogramOf(data) : null), [data]);
  const bar = barIndex === null ? undefined : histogram?.bars[barIndex];
  const isNarrow = useMatches(NARROW);
  const isZoomed = "from" in scope.timeRange;
  return (
    <Card
      title={histogram ? `Per ${histogram.interval}` : "Over time"}
      note={bar && histogram ? `${bucketName(bar.from, histogram.interval, timezone)} · ${countInWords(bar.total, "event")}` : "drag to zoom"}
      busy={isPlaceholderData || (isFetching && data !== undefined && !isFollowing)}
      tools={
        <div className={styles.tools}>
          {histogram && !isNarrow ? <Legend histogram={histogram} /> : null}
          {isZoomed ? (
            <Button small variant="quiet" icon={ZoomOut} onClick={() => scope.setTimeRange(undefined)}>
              Zoom out
            </Button>
          ) : null}
          <Menu
            label="Histogram menu"
            items={[{ label: isTableView ? "View as chart" : "View as table", icon: Table2, onSelect: () => setIsTableView(!isTableView) }]}
          />
        </div>
      }
    >
      {isNarrow && !(error && !data) ? (
        <div className={styles.key}>
          {histogram ? <Legend histogram={histogram} /> : null}
          {histogram ? <p>{countInWords(histogram.total, "event")}</p> : null}
        </div>
      ) : null}
      {error && !data ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !histogram ? (
        <Skeleton height={PLOT_HEIGHT} />
      ) : isTableView ? (
        <HistogramTable histogram={histogram} timezone={timezone} />
      ) : (
        <HistogramPlot
          histogram={histogram}
          timezone={timezone}
          barIndex={barIndex}
          onPointBar={setBarIndex}
          onZoom={(fromIndex, toIndex) => {
            const timeRange = timeRangeOfBars(histogram.bars, fromIndex, toIndex);
            if (timeRange) scope.setTimeRange(timeRange);
          }}
        />
      )}
    </Card>
  );
}

function Legend({ histogram }: { histogram: Shown }) {
  return (
    <ul className={styles.names} aria-label="Legend">
      {histogram.names.map(({ name, color, total }) => (
        <li key={name} title={`${name}: ${formatExact(total)}`}>
          <i style={{ background: color }} />
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}
