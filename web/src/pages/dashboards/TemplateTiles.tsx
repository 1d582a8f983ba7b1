import type { CSSProperties } from "react";
import styles from "./TemplateTiles.module.css";
import { TEMPLATES, type Template } from "./templates.ts";

export interface TemplateTilesProps {
  onChoose: (template: Template) => void;
  busy: boolean;
}

/** The templates as small pictures of the dashboards that they make. */
export function TemplateTiles({ onChoose, busy }: TemplateTilesProps) {
  return (
    <section className={styles.section} aria-labelledby="templates">
      <h2 id="templates" className={styles.heading}>
        Start from something
      </h2>
      <ul className={styles.tiles}>
        {TEMPLATES.map((template) => (
          <li key={template.name}>
            <button type="button" className={styles.tile} disabled={busy} onClick={() => onChoose(template)}>
              <span className={styles.sketch} aria-hidden="true">
                {template.sketch.map(([columns, rows, strong], index) => (
                  <span
                    key={index}
                    className={styles.cell}
                    data-strong={strong ?? false}
                    style={{ "--columns": columns, "--rows": rows } as CSSProperties}
                  />
                ))}
              </span>
              <span className={styles.name}>{template.name}</span>
              <span className={styles.words}>{template.words}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
