import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Dashboard } from "../../api/dashboards.ts";
import { ApiError } from "../../api/errors.ts";
import type { Widget } from "../../api/widgets.ts";
import { errorInLine } from "../../api/words.ts";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { TimeRangeToken } from "../../scope/TimeRangeToken.tsx";
import { useScope } from "../../scope/useScope.ts";
import { DraftNote } from "../../scope/work/DraftNote.tsx";
import { LeaveQuestion } from "../../scope/work/LeaveQuestion.tsx";
import { OutdatedNote } from "../../scope/work/OutdatedNote.tsx";
import { useSaveKey } from "../../scope/work/useSaveKey.ts";
import { useWork } from "../../scope/work/useWork.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { useMatches } from "../../ui/useMatches.ts";
import type { Start } from "../../widgets/definition.ts";
import { definitionOf, titleOf } from "../../widgets/registry.ts";
import styles from "./Editor.module.css";
import { Preview } from "./Preview.tsx";
import { QuestionForm } from "./QuestionForm.tsx";
import { type Draft, type DraftAction, configOf, draftAfter, essenceOf, subjectOfNew } from "./draft.ts";
import { useSave } from "./useSave.ts";

const route = getRouteApi("/member/d/$id/w/$widgetId");

export interface EditorProps {
  dashboard: Dashboard;
  /** The widget that is edited; undefined for a new one. */
  widget: Widget | undefined;
  initialDraft: Draft;
  /** What another kind begins with. */
  start: Start;
  crumbs: ReactNode;
  timezone: string;
  /** Begin another widget after one that was added. */
  onAddAnother: (addedWidget: Widget) => void;
}

/** Where the two stand one below the other. */
const NARROW_QUERY = "(max-width: 1099px)";

/** A question that is a sentence, and its answer below, as it will be on the dashboard; other questions at the left of it, or below. */
export function Editor({ dashboard, widget, initialDraft, start, crumbs, timezone, onAddAnother }: EditorProps) {
  const subject = widget ? `widget ${dashboard.id} ${widget.id}` : subjectOfNew(dashboard.id, initialDraft.kind);
  const work = useWork({ subject, savedValue: initialDraft, isNew: widget === undefined, essenceOf });
  const draft = work.value;
  const dispatch = (action: DraftAction) => work.change((current) => draftAfter(current, action));
  const scope = useScope({ environment: dashboard.environment, timeRange: { timeRange: dashboard.timeRange } });
  const navigate = route.useNavigate();
  const goBack = (hash = "") =>
    void navigate({ to: "/d/$id", params: { id: dashboard.id }, search: ({ kind: _kind, ...rest }) => rest, hash });
  const save = useSave(dashboard, work, scope.timeRange);
  const config = configOf(draft);
  const missingText = definitionOf(draft.kind)?.missingInWords?.(config) ?? "";
  const trySaving = (id: string | undefined, onSaved: (savedWidget: Widget) => void) => {
    if (missingText === "") save.mutate(id, { onSuccess: onSaved });
    else toast({ text: missingText, tone: "error" });
  };
  const goToCard = ({ id }: Widget) => goBack(id);
  const isNarrow = useMatches(NARROW_QUERY);
  const isSentence = definitionOf(draft.kind)?.isSentence ?? false;
  const title = titleOf({ title: draft.title, type: draft.kind, config });
  const rangeProps = { timeRange: scope.timeRange, onChange: scope.setTimeRange, timezone };
  const panes = [
    <QuestionForm
      key={`question ${work.edition}`}
      {...{ dashboard, draft, dispatch, start }}
      timeRange={scope.timeRange}
      timeRangeToken={<TimeRangeToken {...rangeProps} />}
    />,
    <Preview
      key="answer"
      draft={draft}
      config={config}
      missingText={missingText}
      environment={dashboard.environment}
      timeRange={scope.timeRange}
      timezone={timezone}
      dispatch={dispatch}
    />,
  ];
  useSaveKey(() => trySaving(widget?.id, goToCard));
  return (
    <Page
      title={draft.title === "" && !widget ? "New widget" : title}
      crumbs={crumbs}
      badge={<DraftNote work={work} />}
      tools={
        <>
          {isSentence ? null : <TimeRangePicker {...rangeProps} />}
          <span className={styles.cancel}>
            <Button variant="quiet" onClick={() => goBack()}>Cancel</Button>
          </span>
          {widget ? (
            <Button onClick={() => trySaving(undefined, goToCard)}>Save as copy</Button>
          ) : (
            <Button onClick={() => trySaving(undefined, onAddAnother)}>Save and add another</Button>
          )}
          <Button variant="primary" busy={save.isPending} onClick={() => trySaving(widget?.id, goToCard)}>
            Save
          </Button>
        </>
      }
    >
      <FormError text={save.error ? failureInWords(save.error, widget) : null} />
      <OutdatedNote work={work} noun="widget" />
      <div className={styles.panes} data-beside={!isSentence || undefined}>
        {isNarrow && !isSentence ? panes.toReversed() : panes}
      </div>
      <LeaveQuestion work={work} />
    </Page>
  );
}

/** Say why a widget was not saved, and what to do. */
function failureInWords(error: unknown, widget: Widget | undefined): string {
  const isGone = widget !== undefined && error instanceof ApiError && error.status === 404;
  return isGone ? "Not saved, because this widget was deleted meanwhile. Choose “Save as copy” to keep your version." : errorInLine(error);
}
