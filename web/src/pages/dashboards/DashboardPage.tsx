import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { Suspense } from "react";
import { identityQuery } from "../../api/auth.ts";
import { type Dashboard, dashboardQuery } from "../../api/dashboards.ts";
import { mayAct } from "../../core/roles.ts";
import { EnvironmentName } from "../../scope/EnvironmentName.tsx";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useMarkedEnvironment } from "../../scope/useMarkedEnvironment.ts";
import { useScope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { lazily } from "../../ui/lazily.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { DashboardMenu } from "./DashboardMenu.tsx";
import styles from "./DashboardPage.module.css";
import { DashboardView } from "./DashboardView.tsx";
import { PinButton } from "./PinButton.tsx";
import { RefreshButton } from "./RefreshButton.tsx";
import { useBoardEnvironment } from "./useBoardEnvironment.tsx";

const route = getRouteApi("/member/d/$id");
const NameField = lazily(() => import("./NameField.tsx"), "NameField");
const ArrangeView = lazily(() => import("./arrange/ArrangeView.tsx"), "ArrangeView");

/** How often the page looks whether somebody else has changed the dashboard, in milliseconds. */
const REFETCH_MS = 60_000;

/** One dashboard: to look at, and with `?edit=1` to arrange. */
export function DashboardPage() {
  const { id } = route.useParams();
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: dashboard } = useSuspenseQuery({ ...dashboardQuery(id), refetchInterval: edit === "1" ? false : REFETCH_MS });
  const { data: identity } = useSuspenseQuery(identityQuery);
  const timezone = identity?.workspace.timezone ?? "UTC";
  const mayWrite = identity ? mayAct(identity.role, "developer") : false;
  const addressScope = useScope({ timeRange: { timeRange: dashboard.timeRange } });
  // A dashboard counts its own environment, whatever the address says for the pages after it.
  const scope = { ...addressScope, environment: dashboard.environment };
  const isArranging = edit === "1" && mayWrite;
  const setArranging = (isOn: boolean) =>
    void navigate({ search: ({ edit: _edit, ...rest }) => (isOn ? { ...rest, edit: "1" as const } : rest) });
  return (
    <Page
      title={dashboard.name}
      titleField={
        isArranging ? (
          <Suspense>
            <NameField dashboard={dashboard} />
          </Suspense>
        ) : null
      }
      view={isArranging ? "arranged" : "shown"}
      crumbs={<Link to="/dashboards">Dashboards</Link>}
      badge={<PinButton dashboardId={id} name={dashboard.name} />}
      tools={
        <>
          <BoardEnvironment dashboard={dashboard} mayWrite={mayWrite} />
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
          <RefreshButton dashboardId={id} />
          {mayWrite ? <DashboardMenu dashboard={dashboard} /> : null}
          {isArranging ? (
            <Button variant="primary" onClick={() => setArranging(false)}>Done</Button>
          ) : mayWrite ? (
            <Button icon={Pencil} data-action="edit" onClick={() => setArranging(true)}>
              <span className={styles.edit}>Edit</span>
            </Button>
          ) : null}
        </>
      }
    >
      {isArranging ? (
        <ArrangeView dashboard={dashboard} timezone={timezone} />
      ) : (
        <DashboardView dashboard={dashboard} scope={scope} timezone={timezone} mayWrite={mayWrite} onArrange={() => setArranging(true)} />
      )}
    </Page>
  );
}

/** Whose events a dashboard counts: a control for those who may change it. */
function BoardEnvironment({ dashboard, mayWrite }: { dashboard: Dashboard; mayWrite: boolean }) {
  useMarkedEnvironment(dashboard.environment);
  const { chooseEnvironment, dialog } = useBoardEnvironment(dashboard);
  if (!mayWrite) {
    return (
      <span className={styles.environment}>
        <EnvironmentName name={dashboard.environment} />
      </span>
    );
  }
  return (
    <>
      <EnvironmentPicker environment={dashboard.environment} onChange={chooseEnvironment} />
      {dialog}
    </>
  );
}
