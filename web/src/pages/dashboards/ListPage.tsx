import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, Search } from "lucide-react";
import { identityQuery } from "../../api/auth.ts";
import { type DashboardRow, dashboardsQuery } from "../../api/dashboards.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { DashboardTable } from "./DashboardTable.tsx";
import { TemplateTiles } from "./TemplateTiles.tsx";
import styles from "./ListPage.module.css";
import { TEMPLATES } from "./templates.ts";
import { useCreateDashboard } from "./useCreateDashboard.ts";
import { useNewEnvironment } from "./useNewEnvironment.ts";

const route = getRouteApi("/member/dashboards");

/** All dashboards of the workspace, and the templates to start another from. */
export function ListPage() {
  const { q = "", env = "production", new: newParam } = route.useSearch();
  const firstEvent = newParam === "1" ? undefined : newParam;
  const { data: identity } = useQuery(identityQuery);
  const { data: dashboards, error, refetch } = useQuery(dashboardsQuery);
  const mayWrite = identity ? mayAct(identity.role, "developer") : false;
  const newEnvironment = useNewEnvironment(env, mayWrite);
  const { create, isCreating } = useCreateDashboard(newEnvironment.name, firstEvent);
  const isBusy = isCreating || newEnvironment.isPending;
  const environmentLabel = newEnvironment.choices.find(({ value }) => value === newEnvironment.name)?.label ?? newEnvironment.name;
  const timezone = identity?.workspace.timezone ?? "UTC";
  const matches = dashboards?.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  return (
    <Page
      title="Dashboards"
      tools={
        mayWrite ? (
          <Menu
            label="New dashboard"
            trigger={
              <Button variant="primary" icon={Plus} busy={isBusy} data-action="new">
                New dashboard
              </Button>
            }
            items={TEMPLATES.map((template) => ({ label: template.name, hint: environmentLabel, onSelect: () => create(template) }))}
          />
        ) : null
      }
    >
      {error && !dashboards ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : matches ? (
        <DashboardList matches={matches} totalCount={dashboards?.length ?? 0} q={q} timezone={timezone} />
      ) : (
        <Skeleton height={240} />
      )}
      {mayWrite && (dashboards || error) ? (
        <TemplateTiles
          onChoose={create}
          isBusy={isBusy}
          isNewRequested={newParam !== undefined}
          firstEvent={firstEvent}
          newEnvironment={newEnvironment}
        />
      ) : null}
    </Page>
  );
}

interface DashboardListProps {
  matches: DashboardRow[];
  totalCount: number;
  q: string;
  timezone: string;
}

function DashboardList({ matches, totalCount, q, timezone }: DashboardListProps) {
  const navigate = route.useNavigate();
  const searchFor = (text: string) =>
    void navigate({ search: ({ q: _q, ...rest }) => (text ? { ...rest, q: text } : rest), replace: true });
  if (totalCount === 0) {
    return <State title="No dashboards yet" detail="A dashboard shows the numbers you check every day." />;
  }
  return (
    <>
      <div className={styles.search}>
        <div className={styles.field}>
          <TextField label="Name" hideLabel placeholder="Name" icon={Search} value={q} onChange={searchFor} data-action="search" />
        </div>
        <CopyCurl request={{ path: "/v1/dashboards" }} />
      </div>
      {matches.length === 0 ? (
        <State title={`No dashboards match “${q}”`} action={<Button onClick={() => searchFor("")}>Show all</Button>} />
      ) : (
        <DashboardTable dashboards={matches} timezone={timezone} />
      )}
    </>
  );
}
