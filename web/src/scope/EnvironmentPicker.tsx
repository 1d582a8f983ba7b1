import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { environmentChoices, environmentsQuery } from "../api/environments.ts";
import styles from "./EnvironmentPicker.module.css";
import { useMarkedEnvironment } from "./useMarkedEnvironment.ts";

export interface EnvironmentPickerProps {
  environment: string;
  onChange: (environment: string) => void;
}

/** Choose the environment. Anything but production is marked by word, dot and a line under the top bar. */
export function EnvironmentPicker({ environment, onChange }: EnvironmentPickerProps) {
  const id = useId();
  const { data: environments = [] } = useQuery(environmentsQuery);
  useMarkedEnvironment(environment);
  return (
    <span className={styles.picker} data-production={environment === "production"}>
      <label className={styles.label} htmlFor={id}>
        Environment
      </label>
      <span className={styles.dot} />
      <select id={id} data-action="environment" className={styles.select} value={environment} onChange={(event) => onChange(event.target.value)}>
        {environmentChoices(environments, environment).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown className={styles.arrow} size={14} aria-hidden="true" />
    </span>
  );
}
