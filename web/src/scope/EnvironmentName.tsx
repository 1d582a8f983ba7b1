import { useQuery } from "@tanstack/react-query";
import { environmentsQuery, environmentLabel } from "../api/environments.ts";
import styles from "./EnvironmentName.module.css";

/** What people call an environment, with its dot: ink for production, amber for every other. */
export function EnvironmentName({ name }: { name: string }) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  return (
    <span className={styles.name} data-production={name === "production"} title={name}>
      {environmentLabel(environments, name)}
    </span>
  );
}
