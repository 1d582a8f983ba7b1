import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Dashboard } from "../../api/dashboards.ts";
import { environmentsQuery, shownName } from "../../api/environments.ts";
import { type DataFields, type Result, widgetData, widgetQuery } from "../../api/widgets.ts";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import { isNothing } from "../../widgets/blank.ts";
import styles from "./DashboardPage.module.css";
import { useBoardEnvironment } from "./useBoardEnvironment.tsx";

export interface ElsewhereLineProps {
  dashboard: Dashboard;
  asked: DataFields;
  mayWrite: boolean;
}

/** A board of zeros says which environment has the events. It reads the answers of the cards, and asks for none itself. */
export function ElsewhereLine({ dashboard, asked, mayWrite }: ElsewhereLineProps) {
  const { environment, widgets } = dashboard;
  const isEmpty = useQueries({
    queries: widgets.map((widget) => ({ ...widgetQuery(widgetData(dashboard, widget, asked)), enabled: false })),
    combine: areNothing,
  });
  const { data: environments = [] } = useQuery(environmentsQuery);
  const elsewhere = useElsewhere(environment, isEmpty);
  const { choose, dialog } = useBoardEnvironment(dashboard);
  if (!elsewhere) return null;
  return (
    <div className={styles.elsewhere} role="status">
      <span>
        {shownName(environments, environment)} has no event yet. {elsewhere.label} has.
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

/** Whether all cards have their answers, and nothing happened in any that events decide. */
function areNothing(answers: UseQueryResult<Result>[]): boolean {
  const judged = answers.map(({ data }) => (data === undefined ? false : isNothing(data)));
  return judged.includes(true) && !judged.includes(false);
}
