import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Dispatch, ReactNode } from "react";
import { type Dashboard, dashboardQuery } from "../../api/dashboards.ts";
import { entryWithId } from "../../api/entries.ts";
import { ApiError } from "../../api/errors.ts";
import { type Widget, addWidget, changeWidget, previewQuestion, questionQuery } from "../../api/widgets.ts";
import { NOW } from "../../api/queries.ts";
import { errorInLine } from "../../api/words.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useScope } from "../../scope/useScope.ts";
import { DraftNote } from "../../scope/work/DraftNote.tsx";
import { LeaveQuestion } from "../../scope/work/LeaveQuestion.tsx";
import { OutdatedNote } from "../../scope/work/OutdatedNote.tsx";
import { type Work, useWork } from "../../scope/work/useWork.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { useMatches } from "../../ui/useMatches.ts";
import type { Definition, Kind, Start } from "../../widgets/definition.ts";
import { KIND_ICONS } from "../../widgets/icons.ts";
import { DEFINITIONS, definitionOf } from "../../widgets/registry.ts";
import { withColors } from "../../widgets/savedColors.ts";
import { withSuggestion } from "../../widgets/suggestedNames.ts";
import styles from "./Editor.module.css";
import { KindForm } from "./KindForm.tsx";
import { Preview } from "./Preview.tsx";
import { type Draft, type DraftAction, configOf, draftAfter, draftOf, essenceOf, subjectOfNew } from "./draft.ts";

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

/** The question at the left, read downwards; its answer at the right, as it will be on the dashboard, or above it. */
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
  const title = draft.title || (widget ? "Widget" : "New widget");
  const panes = [
    <QuestionForm key={`question ${work.edition}`} {...{ dashboard, draft, dispatch, start }} />,
    <Preview
      key="answer"
      draft={draft}
      config={config}
      missingText={missingText}
      environment={dashboard.environment}
      timeRange={scope.timeRange}
      timezone={timezone}
      onUseSuggestion={(notice) => dispatch({ type: "config", config: withSuggestion(config, notice) })}
    />,
  ];
  return (
    <Page
      title={title}
      crumbs={crumbs}
      badge={<DraftNote work={work} />}
      tools={
        <>
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
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
      <div className={styles.columns}>
        {isNarrow ? panes.toReversed() : panes}
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

interface QuestionFormProps {
  dashboard: Dashboard;
  draft: Draft;
  dispatch: Dispatch<DraftAction>;
  start: Start;
}

/** What the widget asks and how it shows the answer, from top to bottom. */
function QuestionForm({ dashboard, draft, dispatch, start }: QuestionFormProps) {
  return (
    <form className={styles.form} aria-label="Question" onSubmit={(event) => event.preventDefault()}>
      <KindPicker kind={draft.kind} onChange={(definition) => dispatch({ type: "kind", definition, start })} />
      <div className={styles.section}>
        <TextField
          label="Title"
          value={draft.title}
          maxLength={120}
          onChange={(text) => dispatch({ type: "title", title: text })}
        />
      </div>
      <KindForm
        draft={draft}
        environment={dashboard.environment}
        onChange={(config) => dispatch({ type: "config", config })}
      />
      {draft.kind === "table" ? (
        <div className={styles.section}>
          <SwitchField
            atEnd
            label="Publish rows"
            hint={`Anyone with the link to ${dashboard.isPublic ? "this" : "the published"} dashboard can see these columns of individual events.`}
            checked={draft.publishRows}
            onChange={(isOn) => dispatch({ type: "publishRows", isOn })}
          />
        </div>
      ) : null}
      {dashboard.filters.length > 0 ? (
        <div className={styles.section}>
          <SwitchField
            atEnd
            label="Ignore the dashboard's filters"
            checked={draft.ignoreDashboardFilters}
            onChange={(isOn) => dispatch({ type: "ignoreDashboardFilters", isOn })}
          />
        </div>
      ) : null}
    </form>
  );
}

/** The kinds of widgets as tiles, one of them chosen. */
function KindPicker({ kind, onChange }: { kind: Kind; onChange: (definition: Definition<Kind>) => void }) {
  return (
    <fieldset className={styles.kinds}>
      <legend className={styles.legend}>Chart type</legend>
      {DEFINITIONS.map((definition) => {
        const { kind: kindName, label } = definition;
        const Icon = KIND_ICONS[kindName];
        return (
          <label key={kindName} className={styles.kind}>
            <input
              type="radio"
              name="kind"
              className={styles.radio}
              checked={kindName === kind}
              onChange={() => onChange(definition)}
            />
            <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
            {label}
          </label>
        );
      })}
    </fieldset>
  );
}

/** Save what somebody has done with the colors that its preview shows: under an id as a change, without one as a new widget. */
function useSave(dashboard: Dashboard, work: Work<Draft>, timeRange: TimeRange) {
  const queryClient = useQueryClient();
  const query = dashboardQuery(dashboard.id);
  const loadDraft = (id: string) => async () => {
    const { widgets } = await queryClient.query({ ...query, ...NOW });
    return draftOf(entryWithId(widgets, id));
  };
  return useMutation({
    mutationFn: async (id: string | undefined): Promise<Widget> => {
      const { kind: type, title, layout, ignoreDashboardFilters } = work.value;
      const publishRows = type === "table" && work.value.publishRows;
      const question = previewQuestion(dashboard.environment, type, configOf(work.value), timeRange);
      const config = withColors(configOf(work.value), queryClient.getQueryData(questionQuery(question).queryKey));
      const fields = { type, title, config: config as Widget["config"], ignoreDashboardFilters, publishRows };
      if (id === undefined) return addWidget(dashboard.id, { ...fields, layout });
      await work.checkSaved(loadDraft(id));
      return changeWidget(id, fields);
    },
    onSuccess: async () => {
      work.finish();
      await queryClient.invalidateQueries({ queryKey: query.queryKey });
    },
  });
}
