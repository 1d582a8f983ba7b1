import { type CSSProperties, useEffect, useRef } from "react";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import styles from "./TemplateTiles.module.css";
import { TEMPLATES, type Template } from "./templates.ts";
import type { NewEnvironment } from "./useNewEnvironment.ts";

export interface TemplateTilesProps {
  onChoose: (template: Template) => void;
  busy: boolean;
  /** Somebody came here for a new dashboard: this is what they see. */
  isAsked: boolean;
  /** The event that the new dashboard is to begin with, if somebody came from one. */
  firstEvent: string | undefined;
  environment: NewEnvironment;
}

/** The templates as small pictures of the dashboards that they make. */
export function TemplateTiles({ onChoose, busy, isAsked, firstEvent, environment }: TemplateTilesProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsked) section.current?.scrollIntoView({ block: "nearest" });
  }, [isAsked]);
  return (
    <section ref={section} className={styles.section} aria-labelledby="templates">
      <h2 id="templates" className={styles.heading}>
        Start from something
      </h2>
      <div className={styles.environment}>
        <SelectField
          label="Counts the events of"
          value={environment.name}
          onChange={environment.choose}
          options={environment.choices}
          data-action="environment"
        />
      </div>
      {firstEvent === undefined ? null : (
        <p className={styles.lead}>
          <b>{firstEvent}</b> comes first on whichever you choose.
        </p>
      )}
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
