import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import styles from "./Tabs.module.css";

export interface TabsProps {
  label: string;
  /** The open tab. */
  value: string;
  onChange: (value: string) => void;
  tabs: readonly { value: string; label: ReactNode }[];
  /** What the open tab shows. */
  children: ReactNode;
}

/** Several views of one thing, one at a time. The arrow keys go from tab to tab. */
export function Tabs({ label, value, onChange, tabs, children }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} className={styles.panel} tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
