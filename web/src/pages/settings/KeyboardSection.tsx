import { Suspense, use } from "react";
import { ShortcutContext } from "../../scope/ShortcutContext.ts";
import { ShortcutSwitch } from "../../scope/ShortcutSwitch.tsx";
import styles from "./KeyboardSection.module.css";
import { Section } from "./Section.tsx";

/** The switch for single keys, and what every key does. */
export function KeyboardSection() {
  return (
    <Section id="keyboard" title="Keyboard">
      <div className={styles.card}>
        <ShortcutSwitch />
        <p className={styles.hint}>When off, only Ctrl K and the chart and menu keys work. Saved in this browser.</p>
        <details className={styles.all}>
          <summary>All shortcuts</summary>
          <Suspense>{use(ShortcutContext)}</Suspense>
        </details>
      </div>
    </Section>
  );
}
