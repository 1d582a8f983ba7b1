import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { annotationsQuery } from "../../api/annotations.ts";
import { type Dashboard, changeDashboard, dashboardQuery } from "../../api/dashboards.ts";
import { type Spot, type Widget, widgetData } from "../../api/widgets.ts";
import { longerThan, rangeInWords } from "../../core/timeRanges.ts";
import { dataFieldsOf } from "../../scope/dataFields.ts";
import { FilterBar } from "../../scope/FilterBar.tsx";
import { OverrideLine } from "../../scope/OverrideLine.tsx";
import { timeRangeInWords } from "../../scope/days.ts";
import { filterInWords } from "../../scope/filters.ts";
import { actorLink } from "../../scope/keyLinks.ts";
import { timeRangeOf } from "../../scope/search.ts";
import type { Scope } from "../../scope/useScope.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { State } from "../../ui/States/State.tsx";
import { lazily } from "../../ui/lazily.ts";
import { DashboardContext } from "../../widgets/DashboardContext.ts";
import { Grid, GridCell } from "../../widgets/Grid.tsx";
import { WidgetCard } from "../../widgets/WidgetCard.tsx";
import type { Remedy } from "../../widgets/emptyAnswers.ts";
import { refreshMs } from "../../widgets/refresh.ts";
import { useAnnotate } from "../../widgets/useAnnotate.tsx";
import styles from "./DashboardPage.module.css";
import { ElsewhereLine } from "./ElsewhereLine.tsx";
import { useWidgetMenu } from "./useWidgetMenu.ts";

const route = getRouteApi("/member/d/$id");
const BehindDialog = lazily(() => import("./BehindDialog.tsx"), "BehindDialog");

export interface DashboardViewProps {
  dashboard: Dashboard;
  scope: Scope;
  timezone: string;
  mayWrite: boolean;
}

/** The cards of a dashboard. Each asks for itself, and nothing moves. */
export function DashboardView({ dashboard, scope, timezone, mayWrite }: DashboardViewProps) {
  const navigate = useNavigate();
  const [spot, setSpot] = useState<{ widget: Widget; spot: Spot; words: string } | null>(null);
  const { data: annotations = [] } = useQuery(annotationsQuery(dashboard.environment));
  const dataFields = dataFieldsOf(route.useSearch());
  const menuOf = useWidgetMenu(dashboard, mayWrite, dataFields);
  const annotate = useAnnotate(dashboard.environment, mayWrite);
  const onActor = (actorKey: string) => void navigate({ to: "/actors/$actorKey", ...actorLink(actorKey) });
  const shared = { timezone, annotations, onActor, onAnnotate: annotate.begin };
  return (
    <>
      <div className={styles.above}>
        <FilterBar scope={scope} segments={false} />
        {dashboard.description ? <p className={styles.description}>{dashboard.description}</p> : null}
        <Overrides dashboard={dashboard} scope={scope} timezone={timezone} mayWrite={mayWrite} />
      </div>
      <ElsewhereLine dashboard={dashboard} dataFields={dataFields} mayWrite={mayWrite} />
      {dashboard.widgets.length === 0 ? (
        <State
          title="This dashboard is empty"
          detail={mayWrite ? "Edit it to add the first widget." : "A developer of this workspace can add widgets."}
        />
      ) : (
        <Grid>
          {dashboard.widgets.map((widget) => (
            <GridCell key={widget.id} layout={widget.layout}>
              <DashboardContext value={{ ...shared, onSpot: (at, words) => setSpot({ widget, spot: at, words }) }}>
                <WidgetCard
                  widget={widget}
                  query={widgetData(dashboard, widget, dataFields)}
                  refreshMs={refreshMs(scope.timeRange)}
                  menu={menuOf(widget)}
                  remedy={remedyOf(scope)}
                />
              </DashboardContext>
            </GridCell>
          ))}
        </Grid>
      )}
      {spot ? (
        <Suspense>
          <BehindDialog {...spot} dashboard={dashboard} dataFields={dataFields} timezone={timezone} onClose={() => setSpot(null)} />
        </Suspense>
      ) : null}
      {annotate.dialog}
    </>
  );
}

/** Cards without anything to show may be filled without the filters of the address, or by a longer time range. */
function remedyOf(scope: Scope): Remedy | undefined {
  if (scope.filters.length > 0) return { label: "Remove the filters", run: () => scope.setFilters([]) };
  const [longer] = longerThan(scope.timeRange);
  return longer && { label: `Show ${rangeInWords(longer).toLowerCase()}`, run: () => scope.setTimeRange({ timeRange: longer }) };
}

function Overrides({ dashboard, scope, timezone, mayWrite }: DashboardViewProps) {
  const queryClient = useQueryClient();
  const timeRange = timeRangeOf(route.useSearch());
  const rangeName = timeRange && "timeRange" in timeRange ? timeRange.timeRange : undefined;
  const differs = timeRange !== undefined && rangeName !== dashboard.timeRange;
  const save = useMutation({
    mutationFn: () =>
      changeDashboard(dashboard.id, {
        ...(rangeName ? { timeRange: rangeName } : {}),
        ...(scope.filters.length > 0 ? { filters: [...dashboard.filters, ...scope.filters] } : {}),
      }),
    onSuccess: (savedDashboard) => {
      queryClient.setQueryData(dashboardQuery(dashboard.id).queryKey, savedDashboard);
      scope.reset();
    },
    onError: sayFailure,
  });
  if (!differs && scope.filters.length === 0) return null;
  const words = (range: typeof scope.timeRange, filters: typeof scope.filters) =>
    [timeRangeInWords(range, timezone), ...filters.map(filterInWords)].join(", ");
  const savable = mayWrite && (rangeName !== undefined || timeRange === undefined);
  return (
    <OverrideLine
      currentWords={words(scope.timeRange, [...dashboard.filters, ...scope.filters])}
      savedWords={words({ timeRange: dashboard.timeRange }, dashboard.filters)}
      onSave={savable ? () => save.mutate() : undefined}
      busy={save.isPending}
      onReset={scope.reset}
    />
  );
}
