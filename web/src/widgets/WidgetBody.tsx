import { Suspense } from "react";
import { Button } from "../ui/Button/Button.tsx";
import { Notices, type NoticesProps } from "../ui/Notices/Notices.tsx";
import { Unseen } from "../ui/Notices/Unseen.tsx";
import { State } from "../ui/States/State.tsx";
import { lazily } from "../ui/lazily.ts";
import { withLocalTimes } from "../core/time.ts";
import { useDashboardContext } from "./DashboardContext.ts";
import { type Remedy, blankReason, isBlank, isUnseen } from "./emptyAnswers.ts";
import type { Result, ShownWidget } from "./definition.ts";
import { rowCountOf } from "./outline.ts";
import { UNKNOWN_KIND, definitionOf, outlineOf } from "./registry.ts";

const DataTableView = lazily(() => import("../charts/DataTableView.tsx"), "DataTableView");

export interface WidgetBodyProps {
  widget: ShownWidget;
  answer: Result;
  asTable: boolean;
  remedy?: Remedy | undefined;
  /** Takes a name that was probably meant; absent where the question cannot be changed. */
  onUseSuggestion?: NoticesProps["onUseSuggestion"];
}

/** An answer as its kind draws it, or as a table, and below it what the server has to say about it. */
export function WidgetBody({ widget, answer, asTable, remedy, onUseSuggestion }: WidgetBodyProps) {
  const { timezone } = useDashboardContext();
  // The kind of a widget decides the types of its config and its answer; the registry holds them together.
  const definition = definitionOf(widget.type);
  if (!definition) return <Notices notices={[{ code: "unknown_kind", message: UNKNOWN_KIND }]} />;
  if (!asTable && isUnseen(answer)) return <Unseen notices={answer.notices ?? []} onUseSuggestion={onUseSuggestion} />;
  if (!asTable && isBlank(answer)) return <Blank answer={answer} remedy={remedy} />;
  const config = widget.config as never;
  const title = widget.title || definition.label;
  const isWithheld = answer.kind === "table" && answer.rowsWithheld === true;
  return (
    <>
      <Suspense fallback={<span aria-busy="true" />}>
        {asTable && !isWithheld ? (
          <DataTableView label={title} {...definition.table(answer, config, timezone)} />
        ) : (
          <definition.View title={title} config={config} answer={answer} rowCount={rowCountOf(outlineOf(widget), widget.layout.h)} />
        )}
      </Suspense>
      <Notices notices={answer.notices} timezone={timezone} onUseSuggestion={onUseSuggestion} />
    </>
  );
}

/** An answer without anything to draw: why, as far as the server knows, and what may help. */
function Blank({ answer, remedy }: { answer: Result; remedy: Remedy | undefined }) {
  const { timezone } = useDashboardContext();
  const reasonText = (answer.notices ?? []).map(({ message }) => withLocalTimes(message, timezone)).join(" ");
  return (
    <State
      title="No data in this time range"
      detail={reasonText === "" ? blankReason(answer) : reasonText}
      action={remedy ? <Button onClick={remedy.run}>{remedy.label}</Button> : null}
    />
  );
}
