import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Dashboard } from "../../api/dashboards.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import styles from "./DashboardPage.module.css";
import { useBoardEnvironment } from "./useBoardEnvironment.tsx";

/** Says of an empty board which environment has the events, if any has, and leads there with one click. */
export function ElsewhereOffer({ dashboard, mayWrite }: { dashboard: Dashboard; mayWrite: boolean }) {
  const { environment } = dashboard;
  const { data: environments = [] } = useQuery(environmentsQuery);
  const elsewhere = useElsewhere(environment, true);
  const { choose, dialog } = useBoardEnvironment(dashboard);
  if (!elsewhere) return null;
  return (
    <div className={styles.elsewhere} role="status">
      <span>
        {environmentLabel(environments, environment)} has no event yet. {elsewhere.label} has.
      </span>
      {mayWrite ? (
        <Button small onClick={() => choose(elsewhere.name)}>
          Count {elsewhere.label} instead
        </Button>
      ) : (
        <Link to="/events" search={{ env: elsewhere.name }} className={buttonClass("plain", true)}>
          Show events of {elsewhere.label}
        </Link>
      )}
      {dialog}
    </div>
  );
}
