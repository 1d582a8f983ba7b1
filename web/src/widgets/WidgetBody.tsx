import { Suspense } from "react";
import { DataTableView } from "../charts/DataTableView.tsx";
import { Notices } from "../ui/Notices/Notices.tsx";
import type { ShownWidget, WidgetCardProps } from "./WidgetCard.tsx";
import type { Result } from "./definition.ts";
import { UNKNOWN_KIND, definitionOf } from "./registry.ts";

export interface WidgetBodyProps extends Pick<WidgetCardProps, "timezone" | "annotations" | "onSpot" | "onActor" | "onAnnotate"> {
  widget: ShownWidget;
  answer: Result;
  asTable: boolean;
}

/** An answer as its kind draws it, or as a table, and below it what the server has to say about it. */
export function WidgetBody({ widget, answer, asTable, timezone, annotations, ...asked }: WidgetBodyProps) {
  // The kind of a widget decides the types of its config and its answer; the registry holds them together.
  const definition = definitionOf(widget.type);
  if (!definition) return <Notices notices={[{ code: "unknown_kind", message: UNKNOWN_KIND }]} />;
  const surroundings = { timezone, annotations, rows: widget.layout.h };
  const config = widget.config as never;
  const title = widget.title || definition.label;
  return (
    <>
      {asTable ? (
        <DataTableView label={title} {...definition.table(answer, config, surroundings)} />
      ) : (
        <Suspense fallback={<span aria-busy="true" />}>
          <definition.View title={title} config={config} answer={answer} surroundings={surroundings} {...asked} />
        </Suspense>
      )}
      <Notices notices={answer.notices} timezone={timezone} />
    </>
  );
}
