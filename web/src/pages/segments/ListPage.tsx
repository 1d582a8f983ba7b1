import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { type Segment, segmentsQuery } from "../../api/segments.ts";
import { errorInWords } from "../../api/words.ts";
import { formatExact } from "../../core/numbers.ts";
import { mayAct } from "../../core/roles.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { filtersOf } from "../../scope/search.ts";
import { useScope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { TableSkeleton } from "../../ui/Table/TableSkeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { lazily } from "../../ui/lazily.ts";
import styles from "./ListPage.module.css";
import { SegmentMenu } from "./SegmentMenu.tsx";
import { SegmentTable } from "./SegmentTable.tsx";

const EditDialog = lazily(() => import("./EditDialog.tsx"), "EditDialog");
const route = getRouteApi("/member/segments");
const memberRoute = getRouteApi("/member");

/** The saved filters of an environment: who is in each, and the way to make and change them. */
export function ListPage() {
  const { identity } = memberRoute.useRouteContext();
  const { environment, setEnvironment } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(segmentsQuery);
  const { data: environments = [] } = useQuery(environmentsQuery);
  const mayWrite = mayAct(identity.role, "developer");
  const segments = data?.filter((segment) => segment.environment === environment);
  const openNew = () => void navigate({ search: (previous) => ({ ...previous, new: "1" as const }), replace: true });
  const closeNew = () => void navigate({ search: ({ new: _new, f: _f, ...rest }) => rest, replace: true });
  return (
    <Page
      title="Segments"
      workspace={identity.workspace.name}
      tools={
        <>
          <EnvironmentPicker environment={environment} onChange={setEnvironment} />
          {mayWrite ? (
            <Button variant="primary" icon={Plus} onClick={openNew} data-action="new">
              New segment
            </Button>
          ) : null}
        </>
      }
    >
      {error && !segments ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !segments ? (
        <TableSkeleton rowCount={5} />
      ) : segments.length === 0 ? (
        <State
          title={`No segments in ${environmentLabel(environments, environment)}`}
          detail={`A segment is a named set of filters for widgets, alerts and the events list.${mayWrite ? "" : " A developer can create one."}`}
        />
      ) : (
        <SegmentList key={environment} segments={segments} mayWrite={mayWrite} />
      )}
      <Suspense>{mayWrite && search.new ? <EditDialog environment={environment} initialFilters={filtersOf(search)} onClose={closeNew} /> : null}</Suspense>
    </Page>
  );
}

/** So many rows at a time: each counts its events. */
const ROWS_PER_PAGE = 50;

function SegmentList({ segments, mayWrite }: { segments: readonly Segment[]; mayWrite: boolean }) {
  const [visibleCount, setVisibleCount] = useState(ROWS_PER_PAGE);
  const visibleSegments = segments.slice(0, visibleCount);
  const hiddenCount = segments.length - visibleSegments.length;
  return (
    <>
      <SegmentTable segments={visibleSegments} renderMenu={(segment) => <SegmentMenu segment={segment} mayWrite={mayWrite} />} />
      <div className={styles.foot}>
        <span>
          Click a segment to see its events, or add <code>seg=</code> and its ID to the URL.
        </span>
        {hiddenCount > 0 ? (
          <Button small onClick={() => setVisibleCount(visibleCount + ROWS_PER_PAGE)}>
            Show {formatExact(Math.min(hiddenCount, ROWS_PER_PAGE))} more
          </Button>
        ) : null}
      </div>
    </>
  );
}
