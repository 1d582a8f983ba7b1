import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { type Annotation, annotationsQuery } from "../../api/annotations.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useScope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { lazily } from "../../ui/lazily.ts";
import { AnnotationList } from "./AnnotationList.tsx";
import styles from "./ListPage.module.css";
import { NewCard } from "./NewCard.tsx";
import { TimeLineCard } from "./TimeLineCard.tsx";

const AnnotationDialog = lazily(() => import("../../widgets/AnnotationDialog.tsx"), "AnnotationDialog");
const route = getRouteApi("/member/annotations");
const memberRoute = getRouteApi("/member");
const LAST_30_DAYS: TimeRange = { timeRange: "30d" };

/** What happened in an environment: on its time line, as a list, and the form of the next. */
export function ListPage() {
  const scope = useScope({ timeRange: LAST_30_DAYS });
  const { environment } = scope;
  const { identity } = memberRoute.useRouteContext();
  const { new: newParam } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: annotations, error, refetch } = useQuery(annotationsQuery(environment));
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [editTarget, setEditTarget] = useState<{ time: string; annotation?: Annotation } | null>(null);
  const newestFirst = useMemo(() => annotations?.toReversed(), [annotations]);
  const mayWrite = mayAct(identity.role, "developer");
  const { timezone } = identity.workspace;
  const environmentName = environmentLabel(environments, environment);
  const startNew = (time = new Date().toISOString()) => setEditTarget({ time });
  const close = () => {
    setEditTarget(null);
    if (newParam) void navigate({ search: ({ new: _new, ...rest }) => rest, replace: true });
  };
  const dialogProps = editTarget ?? (newParam && mayWrite ? { time: new Date().toISOString() } : null);
  return (
    <Page
      title="Annotations"
      workspace={identity.workspace.name}
      tools={
        <>
          <EnvironmentPicker environment={environment} onChange={scope.setEnvironment} />
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
          {mayWrite ? (
            <Button variant="primary" icon={Plus} onClick={() => startNew()} data-action="new">
              <span className={styles.word}>Annotate</span>
            </Button>
          ) : null}
        </>
      }
    >
      <TimeLineCard
        environment={environment}
        timeRange={scope.timeRange}
        annotations={annotations ?? []}
        timezone={timezone}
        onAnnotate={mayWrite ? startNew : undefined}
      />
      <div className={styles.columns} data-alone={!mayWrite || undefined}>
        {error && !newestFirst ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !newestFirst ? (
          <Skeleton height={300} />
        ) : newestFirst.length === 0 ? (
          <State title={`No annotations in ${environmentName}`} detail="Mark a release, an outage or a campaign to show it on every time chart." />
        ) : (
          <AnnotationList
            key={environment}
            annotations={newestFirst}
            timezone={timezone}
            onEdit={mayWrite ? (annotation) => setEditTarget({ time: annotation.time, annotation }) : undefined}
          />
        )}
        {mayWrite && (newestFirst || error) ? (
          <aside aria-label="New annotation">
            <NewCard key={environment} environment={environment} environmentName={environmentName} timezone={timezone} />
          </aside>
        ) : null}
      </div>
      <Suspense>{dialogProps ? <AnnotationDialog environment={environment} {...dialogProps} onClose={close} /> : null}</Suspense>
    </Page>
  );
}
