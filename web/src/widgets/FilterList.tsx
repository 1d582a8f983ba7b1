import type { ReactNode } from "react";
import { FilterField, type FilterFieldProps } from "../scope/filterField/FilterField.tsx";
import type { Names } from "./definition.ts";
import styles from "./FilterList.module.css";

export interface FilterListProps extends Pick<FilterFieldProps, "filters" | "onChange"> {
  names: Names;
  /** What is filtered, if a form has several lists: "Filters for step 1". */
  label?: string;
}

/** The filters of a question, below their label. */
export function FilterList({ names, label = "Filters", ...fieldProps }: FilterListProps): ReactNode {
  return (
    <div className={styles.list}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <FilterField {...fieldProps} label={label} environment={names.environment} />
    </div>
  );
}
