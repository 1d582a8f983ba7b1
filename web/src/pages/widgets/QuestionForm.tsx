import { type Dispatch, type ReactNode, useEffect, useRef, useState } from "react";
import type { Dashboard } from "../../api/dashboards.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import type { Start } from "../../widgets/definition.ts";
import { KindForm } from "./KindForm.tsx";
import { KindPicker } from "./KindPicker.tsx";
import styles from "./QuestionForm.module.css";
import type { Draft, DraftAction } from "./draft.ts";
import { useKeptFocus } from "./useKeptFocus.ts";

export interface QuestionFormProps {
  dashboard: Dashboard;
  draft: Draft;
  dispatch: Dispatch<DraftAction>;
  /** What another kind begins with. */
  start: Start;
  timeRange: TimeRange;
  timeRangeToken: ReactNode;
}

/** What the widget asks. Not a form element, because the days of a time range are a form within it. */
export function QuestionForm({ dashboard, draft, dispatch, start, timeRange, timeRangeToken }: QuestionFormProps) {
  const { formRef, hasFocus } = useFirstFocus();
  useKeptFocus(formRef);
  return (
    <div ref={formRef} role="form" className={styles.form} aria-label="Question">
      <KindPicker kind={draft.kind} onChange={(definition) => dispatch({ type: "kind", definition, start })} />
      <KindForm
        draft={draft}
        environment={dashboard.environment}
        timeRange={timeRange}
        timeRangeToken={timeRangeToken}
        hasFocus={hasFocus}
        onChange={(config) => dispatch({ type: "config", config })}
      />
      {draft.kind === "table" ? (
        <SwitchField
          label="Publish rows"
          hint={`Anyone with the link to ${dashboard.isPublic ? "this" : "the published"} dashboard can see these columns of individual events.`}
          checked={draft.publishRows}
          onChange={(isOn) => dispatch({ type: "publishRows", isOn })}
        />
      ) : null}
      {dashboard.filters.length > 0 ? (
        <SwitchField
          label="Ignore the dashboard's filters"
          checked={draft.ignoreDashboardFilters}
          onChange={(isOn) => dispatch({ type: "ignoreDashboardFilters", isOn })}
        />
      ) : null}
    </div>
  );
}

/** Tell when somebody has come into the form for the first time. */
function useFirstFocus() {
  const formRef = useRef<HTMLDivElement>(null);
  const [hasFocus, setHasFocus] = useState(false);
  useEffect(() => {
    const element = formRef.current;
    const noteFocus = () => setHasFocus(true);
    element?.addEventListener("focusin", noteFocus, { once: true });
    return () => element?.removeEventListener("focusin", noteFocus);
  }, []);
  return { formRef, hasFocus };
}
