import styles from "./EnvironmentName.module.css";

/** An environment's name with its dot: ink for production, amber for every other. */
export function EnvironmentName({ name }: { name: string }) {
  return (
    <span className={styles.name} data-production={name === "production"}>
      {name}
    </span>
  );
}
