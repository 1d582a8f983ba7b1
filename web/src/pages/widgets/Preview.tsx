import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type Dispatch, Suspense, useState } from "react";
import { annotationsQuery } from "../../api/annotations.ts";
import { type Question, type Result, previewQuestion, questionQuery } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import { DataTableView } from "../../charts/DataTableView.tsx";
import { saveCsv } from "../../core/files.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import type { Notice } from "../../ui/Notices/Notices.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { useDebounced } from "../../ui/useDebounced.ts";
import { BodySkeleton } from "../../widgets/BodySkeleton.tsx";
import { DashboardContext } from "../../widgets/DashboardContext.ts";
import { WidgetBody } from "../../widgets/WidgetBody.tsx";
import { cardNote } from "../../widgets/cardNote.ts";
import { csvOf } from "../../widgets/csv.ts";
import type { Definition, Kind } from "../../widgets/definition.ts";
import { definitionOf, outlineOf, titleOf } from "../../widgets/registry.ts";
import { withSuggestion } from "../../widgets/suggestedNames.ts";
import { DrawingPicker } from "./DrawingPicker.tsx";
import styles from "./Editor.module.css";
import { TitleField } from "./TitleField.tsx";
import type { Draft, DraftAction } from "./draft.ts";
import { useDrawings } from "./useDrawings.ts";
import { useOpenNumber } from "./useOpenNumber.tsx";

export interface PreviewProps {
  draft: Draft;
  config: object;
  /** What has to be chosen before anything can be asked; "" if nothing. */
  missingText: string;
  environment: string;
  timeRange: TimeRange;
  timezone: string;
  dispatch: Dispatch<DraftAction>;
}

/** Rows of the dashboard that numbers and notes take. */
const LOW_ROWS = 2;

/** Return whether a question can be asked. It may still be an earlier one, which something was missing from. */
const isWhole = ({ type, config }: Question): boolean => !definitionOf(type)?.missingInWords?.(config);

/** The answer to the question as it stands, as a chart and as the same numbers in a table. */
export function Preview({ draft, config, missingText, environment, timeRange, timezone, dispatch }: PreviewProps) {
  const question = useDebounced(previewQuestion(environment, draft.kind, config, timeRange));
  const { data: newestAnswer, error, isPending, isFetching, refetch } = useQuery({
    ...questionQuery(question),
    enabled: missingText === "" && isWhole(question),
  });
  const { question: answeredQuestion, data } = useAnsweredQuestion(question, newestAnswer);
  const { data: annotations = [] } = useQuery(annotationsQuery(environment));
  const definition = definitionOf(answeredQuestion.type);
  const isFitting = data && definition && isAnswerOf(data, answeredQuestion.type);
  const widget = { id: "preview", title: draft.title, type: answeredQuestion.type, config: answeredQuestion.config, layout: draft.layout };
  const title = titleOf({ title: draft.title, type: draft.kind, config });
  const ownTitle = titleOf({ title: "", type: draft.kind, config });
  const drawings = useDrawings({ kind: draft.kind, config }, ({ kind, config: drawnConfig }) => {
    const drawnDefinition = definitionOf(kind);
    if (drawnDefinition) dispatch({ type: "draw", definition: drawnDefinition, config: drawnConfig });
  });
  const { openFields, dialog } = useOpenNumber(answeredQuestion, isFitting ? data : undefined, timeRange, timezone);
  const context = { timezone, annotations, ...openFields };
  const applySuggestion = (notice: Notice) => dispatch({ type: "config", config: withSuggestion(config, notice) });
  return (
    <div className={styles.preview}>
      <Card
        title={title}
        titleField={<TitleField title={draft.title} ownTitle={ownTitle} onChange={(text) => dispatch({ type: "title", title: text })} />}
        note={isFitting ? cardNote(widget, data) : ""}
        busy={isPending && !data && missingText === ""}
        isStale={isFetching && data !== undefined}
        tools={<Badge tone="accent">preview</Badge>}
      >
        <div className={styles.chart} data-low={draft.layout.h <= LOW_ROWS || undefined}>
          {missingText !== "" ? (
            <State title={missingText} detail="The preview will appear here." />
          ) : error ? (
            <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
          ) : isFitting ? (
            <DashboardContext value={context}>
              <WidgetBody widget={widget} answer={data} asTable={false} onUseSuggestion={applySuggestion} />
            </DashboardContext>
          ) : (
            <BodySkeleton outline={outlineOf(widget)} />
          )}
        </div>
      </Card>
      <DrawingPicker {...drawings} answer={data} />
      {isFitting && definition.Insight && !error && missingText === "" ? (
        <DashboardContext value={context}>
          <Suspense>
            <definition.Insight config={answeredQuestion.config} answer={data} />
          </Suspense>
        </DashboardContext>
      ) : null}
      {isFitting && draft.kind !== "note" && !error && missingText === "" ? (
        <SameNumbersCard title={title} table={definition.table(data, answeredQuestion.config, timezone)} />
      ) : null}
      {dialog}
    </div>
  );
}

/** Return the newest answer with its own question: the words beside it are those of what was asked, not of what is typed. */
function useAnsweredQuestion<Asked>(question: Asked, newestAnswer: Result | undefined): { question: Asked; data: Result | undefined } {
  const [answer, setAnswer] = useState({ question, data: newestAnswer });
  if (newestAnswer !== undefined && newestAnswer !== answer.data) setAnswer({ question, data: newestAnswer });
  return answer.data === undefined ? { question, data: newestAnswer } : answer;
}

function SameNumbersCard({ title, table }: { title: string; table: ReturnType<Definition<Kind>["table"]> }) {
  if (table.rows.length === 0) return null;
  return (
    <div className={styles.numbersCard}>
      <Card
        title="Data"
        note={`${table.rows.length} ${table.rows.length === 1 ? "row" : "rows"}`}
        tools={
          <Button small icon={Download} onClick={() => saveCsv(csvOf(table), `${title}.csv`)}>
            CSV
          </Button>
        }
      >
        <div className={styles.numbers}>
          <DataTableView label={`The numbers of ${title}`} {...table} />
        </div>
      </Card>
    </div>
  );
}

/** The kinds whose answers are shaped by how they are asked. */
const FLEXIBLE_KINDS = new Set<Kind>(["metric", "formula"]);
const FLEXIBLE_SHAPES = new Set<Result["kind"]>(["counter", "timeseries", "categorical", "multiseries"]);

/** Return whether an answer is one of a kind: while another question is on its way, the old answer is still there. */
function isAnswerOf(result: Result, kind: Kind): boolean {
  return FLEXIBLE_KINDS.has(kind) ? FLEXIBLE_SHAPES.has(result.kind) : result.kind === kind;
}
