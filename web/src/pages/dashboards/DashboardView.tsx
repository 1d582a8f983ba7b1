import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { annotationsQuery } from "../../api/annotations.ts";
import { type Dashboard, changeDashboard, dashboardQuery } from "../../api/dashboards.ts";
import { savedWidgetQuery } from "../../api/widgets.ts";
import type { Buckets } from "../../core/buckets.ts";
import { longerRangesThan, rangeInWords } from "../../core/timeRanges.ts";
import { dataFieldsOf } from "../../scope/dataFields.ts";
import { FilterBar } from "../../scope/FilterBar.tsx";
import { OverrideLine } from "../../scope/OverrideLine.tsx";
import { timeRangeInWords } from "../../scope/days.ts";
import { filterInWords } from "../../scope/filters.ts";
import { actorLink } from "../../scope/keyLinks.ts";
import { timeRangeOf } from "../../scope/search.ts";
import type { Scope } from "../../scope/useScope.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { lazily } from "../../ui/lazily.ts";
import { DashboardContext } from "../../widgets/DashboardContext.ts";
import { Grid, GridCell } from "../../widgets/Grid.tsx";
import { WidgetCard } from "../../widgets/WidgetCard.tsx";
import type { Remedy } from "../../widgets/emptyAnswers.ts";
import { refreshMsOf } from "../../widgets/refresh.ts";
import { outlineOf } from "../../widgets/registry.ts";
import { useAnnotate } from "../../widgets/useAnnotate.tsx";
import styles from "./DashboardPage.module.css";
import { ElsewhereLine } from "./ElsewhereLine.tsx";
import { useCardFocus } from "./useCardFocus.ts";
import { useOpenedSpot } from "./useOpenedSpot.ts";
import { useWidgetMenu } from "./useWidgetMenu.ts";

const route = getRouteApi("/member/d/$id");
const EmptyBoard = lazily(() => import("./EmptyBoard.tsx"), "EmptyBoard");
const BrushedTime = lazily(() => import("./BrushedTime.tsx"), "BrushedTime");
const BehindPanel = lazily(() => import("./behind/BehindPanel.tsx"), "BehindPanel");

const loadNear = () => void Promise.all([BehindPanel.load(), BrushedTime.load()]);

export interface DashboardViewProps {
  dashboard: Dashboard;
  scope: Scope;
  timezone: string;
  mayWrite: boolean;
  /** Begin to arrange the cards. */
  onArrange: () => void;
}

/** The cards of a dashboard. Each asks for itself, and nothing moves. */
export function DashboardView({ dashboard, scope, timezone, mayWrite, onArrange }: DashboardViewProps) {
  const navigate = useNavigate();
  const openedSpot = useOpenedSpot(dashboard);
  useCardFocus(dashboard.widgets);
  const { opened } = openedSpot;
  const { data: annotations = [] } = useQuery(annotationsQuery(dashboard.environment));
  const dataFields = dataFieldsOf(route.useSearch());
  const menuItemsOf = useWidgetMenu(dashboard, mayWrite, dataFields);
  const annotate = useAnnotate(dashboard.environment, mayWrite);
  const onActor = (actorKey: string) => void navigate({ to: "/actors/$actorKey", ...actorLink(actorKey) });
  const [brushedBuckets, brush] = useState<Buckets>();
  const contextFields = { timezone, annotations, onActor, onBuckets: brush, onAnnotate: annotate.openDialog };
  return (
    <div className={styles.view} data-beside={opened ? true : undefined}>
      <div className={styles.above}>
        <FilterBar scope={scope} hasSegments={false} />
        {dashboard.description ? <p className={styles.description}>{dashboard.description}</p> : null}
        <Overrides dashboard={dashboard} scope={scope} timezone={timezone} mayWrite={mayWrite} />
      </div>
      <ElsewhereLine dashboard={dashboard} dataFields={dataFields} mayWrite={mayWrite} />
      {dashboard.widgets.length === 0 ? (
        <Suspense>
          <EmptyBoard environment={dashboard.environment} mayWrite={mayWrite} onArrange={onArrange} />
        </Suspense>
      ) : (
        <Grid isBesidePanel={opened !== null}>
          {dashboard.widgets.map((widget) => (
            <GridCell key={widget.id} layout={widget.layout} outline={outlineOf(widget)}>
              <DashboardContext
                value={{
                  ...contextFields,
                  onSpot: (spot) => openedSpot.open(widget.id, spot),
                  openSpot: opened?.widget.id === widget.id ? opened.spot : undefined,
                }}
              >
                {/* Whoever comes near a card may soon ask what is behind its numbers, or drag over them. */}
                <div className={styles.near} onPointerEnter={loadNear} onFocusCapture={loadNear}>
                  <WidgetCard
                    widget={widget}
                    query={savedWidgetQuery(dashboard, widget, dataFields)}
                    refreshMs={refreshMsOf(scope.timeRange)}
                    menu={menuItemsOf(widget)}
                    remedy={remedyOf(scope)}
                  />
                </div>
              </DashboardContext>
            </GridCell>
          ))}
        </Grid>
      )}
      {opened ? (
        <div className={styles.panel}>
          <Suspense>
            <BehindPanel
              {...opened}
              dashboard={dashboard}
              dataFields={dataFields}
              timeRange={scope.timeRange}
              timezone={timezone}
              mayWrite={mayWrite}
              tab={openedSpot.tab}
              onSpot={openedSpot.open}
              onTab={openedSpot.showTab}
              onClose={openedSpot.close}
            />
          </Suspense>
        </div>
      ) : null}
      {annotate.dialog}
      {brushedBuckets ? (
        <Suspense>
          <BrushedTime buckets={brushedBuckets} scope={scope} timezone={timezone} isCovered={opened !== null} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Cards without anything to show may be filled without the filters of the address, or by a longer time range. */
function remedyOf(scope: Scope): Remedy | undefined {
  if (scope.filters.length > 0) return { label: "Remove filters", run: () => scope.setFilters([]) };
  const [longerRange] = longerRangesThan(scope.timeRange);
  return longerRange && {
    label: `Show ${rangeInWords(longerRange).toLowerCase()}`,
    run: () => scope.setTimeRange({ timeRange: longerRange }),
  };
}

function Overrides({ dashboard, scope, timezone, mayWrite }: Omit<DashboardViewProps, "onArrange">) {
  const queryClient = useQueryClient();
  const timeRange = timeRangeOf(route.useSearch());
  const rangeName = timeRange && "timeRange" in timeRange ? timeRange.timeRange : undefined;
  const isRangeChanged = timeRange !== undefined && rangeName !== dashboard.timeRange;
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
  if (!isRangeChanged && scope.filters.length === 0) return null;
  const describe = (range: typeof scope.timeRange, filters: typeof scope.filters) =>
    [timeRangeInWords(range, timezone), ...filters.map(filterInWords)].join(", ");
  const maySave = mayWrite && (rangeName !== undefined || timeRange === undefined);
  return (
    <OverrideLine
      currentWords={describe(scope.timeRange, [...dashboard.filters, ...scope.filters])}
      savedWords={describe({ timeRange: dashboard.timeRange }, dashboard.filters)}
      onSave={maySave ? () => save.mutate() : undefined}
      busy={save.isPending}
      onReset={scope.reset}
    />
  );
}
