import { type CSSProperties, useEffect, useRef } from "react";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import styles from "./TemplateTiles.module.css";
import { TEMPLATES, type Template } from "./templates.ts";
import type { NewEnvironment } from "./useNewEnvironment.ts";

export interface TemplateTilesProps {
  onChoose: (template: Template) => void;
  isBusy: boolean;
  /** Somebody came here for a new dashboard: this is what they see. */
  isNewRequested: boolean;
  /** The event that the new dashboard is to begin with, if somebody came from one. */
  firstEvent: string | undefined;
  newEnvironment: NewEnvironment;
}

/** The templates as small pictures of the dashboards that they make. */
export function TemplateTiles({ onChoose, isBusy, isNewRequested, firstEvent, newEnvironment }: TemplateTilesProps) {
  const sectionRef = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNewRequested) sectionRef.current?.scrollIntoView({ block: "nearest" });
  }, [isNewRequested]);
  return (
    <section ref={sectionRef} className={styles.section} aria-labelledby="templates">
      <h2 id="templates" className={styles.heading}>
        Start from a template
      </h2>
      <div className={styles.environment}>
        <SelectField
          label="Environment"
          value={newEnvironment.name}
          onChange={newEnvironment.choose}
          options={newEnvironment.choices}
          data-action="environment"
        />
      </div>
      {firstEvent === undefined ? null : (
        <p className={styles.lead}>
          <b>{firstEvent}</b> comes first in every template.
        </p>
      )}
      <ul className={styles.tiles}>
        {TEMPLATES.map((template) => (
          <li key={template.name}>
            <button type="button" className={styles.tile} disabled={isBusy} onClick={() => onChoose(template)}>
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
              <span className={styles.words}>{template.summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
