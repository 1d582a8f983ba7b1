import type { Dashboard } from "../../api/dashboards.ts";
import { EnvironmentName } from "../../scope/EnvironmentName.tsx";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { useMarkedEnvironment } from "../../scope/useMarkedEnvironment.ts";
import styles from "./DashboardPage.module.css";
import { useBoardEnvironment } from "./useBoardEnvironment.tsx";

/** Whose events a dashboard counts: a control for those who may change it. */
export function BoardEnvironment({ dashboard, mayWrite }: { dashboard: Dashboard; mayWrite: boolean }) {
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
