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
  const otherEnvironment = useElsewhere(environment, true);
  const { chooseEnvironment, dialog } = useBoardEnvironment(dashboard);
  if (!otherEnvironment) return null;
  return (
    <div className={styles.elsewhere} role="status">
      <span>
        {environmentLabel(environments, environment)} has no events yet, but {otherEnvironment.label} does.
      </span>
      {mayWrite ? (
        <Button small onClick={() => chooseEnvironment(otherEnvironment.name)}>
          Show {otherEnvironment.label} instead
        </Button>
      ) : (
        <Link to="/events" search={{ env: otherEnvironment.name }} className={buttonClass("plain", true)}>
          Show events in {otherEnvironment.label}
        </Link>
      )}
      {dialog}
    </div>
  );
}
