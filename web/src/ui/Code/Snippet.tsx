import { Tabs } from "radix-ui";
import { Code } from "./Code.tsx";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./Code.module.css";

export interface SnippetProps {
  label?: string;
  tabs: readonly { name: string; code: string }[];
}

/** The same example in several languages, and one button that copies the one in sight. */
export function Snippet({ label = "Example", tabs }: SnippetProps) {
  return (
    <Tabs.Root className={styles.snippet} defaultValue={tabs[0]?.name ?? ""}>
      <Tabs.List className={styles.tabs} aria-label={label}>
        {tabs.map(({ name }) => (
          <Tabs.Trigger key={name} value={name} className={styles.tab}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ name, code }) => (
        <Tabs.Content key={name} value={name} className={styles.panel} tabIndex={-1}>
          <div className={styles.copy}>
            <CopyButton text={code} variant="quiet" small />
          </div>
          <Code label={`${name} example`} text={code} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
