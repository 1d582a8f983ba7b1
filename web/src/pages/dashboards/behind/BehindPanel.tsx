import { useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { type Spot, differencesQuery } from "../../../api/widgets.ts";
import { timeRangeInWords } from "../../../scope/days.ts";
import { isGone } from "../../../scope/units/goneNumber.ts";
import { announce } from "../../../ui/announce.ts";
import type { NamedSpot } from "../../../widgets/definition.ts";
import { titleOf } from "../../../widgets/registry.ts";
import type { PanelTab } from "../useOpenedSpot.ts";
import { BehindLists } from "./BehindLists.tsx";
import { DifferenceList } from "./DifferenceList.tsx";
import styles from "./Panel.module.css";
import { PanelActions } from "./PanelActions.tsx";
import { PanelHead } from "./PanelHead.tsx";
import { hasBand } from "./bandWords.ts";
import { comparisonInWords, isPart } from "./comparison.ts";
import { usePanelFocus } from "./usePanelFocus.ts";
import { usePanelKeys } from "./usePanelKeys.ts";
import { type PointRequest, usePoint } from "./usePoint.ts";

export interface BehindPanelProps extends PointRequest {
  tab: PanelTab;
  mayWrite: boolean;
  /** Go to another number of the widget. */
  onSpot: (widgetId: string, spot: Spot) => void;
  onTab: (tab: PanelTab) => void;
  onClose: () => void;
}

/** What is behind a number, beside its chart: who, what is different about them, and what to do next. */
export function BehindPanel({ tab, mayWrite, onSpot, onTab, onClose, ...request }: BehindPanelProps) {
  const { widget, spot, timeRange, timezone } = request;
  const headingId = useId();
  const panelRef = useRef<HTMLElement>(null);
  const point = usePoint(request);
  const { current, bucket } = point;
  const [title, words] = [titleOf(widget), current?.inWords() ?? ""];
  const isCompared = isPart(widget.type, spot);
  const differences = useQuery({ ...differencesQuery(request.dashboard, widget, request.dataFields, spot), enabled: isCompared });
  const hasGone = isGone(differences.error);
  const returnFocus = usePanelFocus(panelRef, headingId, widget.id, JSON.stringify([widget.id, spot]));
  const stepTo = (neighbor: NamedSpot | undefined) =>
    neighbor &&
    (() => {
      announce(`${neighbor.inWords()}: ${neighbor.format(neighbor.value)}`);
      onSpot(widget.id, neighbor.spot);
    });
  const close = () => {
    returnFocus();
    onClose();
  };
  const steps = { onPrevious: stepTo(point.previous), onNext: stepTo(point.next), onClose: close };
  usePanelKeys(steps);
  return (
    <section ref={panelRef} className={styles.panel} aria-label={`Behind ${[title, words].filter(Boolean).join(", ")}`}>
      <PanelHead
        {...steps}
        headingId={headingId}
        title={title}
        words={words}
        current={current}
        usual={hasBand(widget.type, bucket?.interval) && differences.isSuccess ? (differences.data.usual ?? null) : undefined}
      />
      {/* At the foot, but before the lists for whoever comes by keys: these may have a hundred links. */}
      {hasGone ? null : <PanelActions request={request} point={point} mayWrite={mayWrite} />}
      <div className={styles.body} data-scroll-restoration-id="behind">
        <BehindLists request={request} point={point} tab={tab} onTab={onTab} eventCount={differences.data?.unit === "event" ? differences.data.events : undefined}>
          {isCompared && !hasGone ? (
            <DifferenceList
              result={differences}
              onChoose={() => document.getElementById(headingId)?.focus({ preventScroll: true })}
              comparisonOf={(data) => comparisonInWords(data, widget.type, spot, bucket?.interval, timeRangeInWords(timeRange, timezone).toLowerCase())}
            />
          ) : null}
        </BehindLists>
      </div>
    </section>
  );
}
