import { Tabs } from "radix-ui";
import { CopyButton } from "./CopyButton.tsx";
import { pieces } from "./pieces.ts";
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

/** Code with its texts in color. It can be scrolled with the keyboard. */
function Code({ label, text }: { label: string; text: string }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable
    <pre className={styles.code} role="group" aria-label={label} tabIndex={0}>
      <code>
        {pieces(text).map(({ text: piece, quoted }, at) => (quoted ? <span key={at}>{piece}</span> : piece))}
      </code>
    </pre>
  );
}
