import type { Definition, Kind } from "../../widgets/definition.ts";
import { KIND_ICONS } from "../../widgets/icons.ts";
import { DEFINITIONS } from "../../widgets/registry.ts";
import styles from "./KindPicker.module.css";

export interface KindPickerProps {
  kind: Kind;
  onChange: (definition: Definition<Kind>) => void;
}

/** The kinds of widgets as tiles, one of them chosen. */
export function KindPicker({ kind, onChange }: KindPickerProps) {
  return (
    <fieldset className={styles.kinds}>
      <legend className={styles.legend}>Chart type</legend>
      {DEFINITIONS.map((definition) => {
        const { kind: kindName, label } = definition;
        const Icon = KIND_ICONS[kindName];
        return (
          <label key={kindName} className={styles.kind}>
            <input
              type="radio"
              name="kind"
              className={styles.radio}
              checked={kindName === kind}
              onChange={() => onChange(definition)}
            />
            <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
            {label}
          </label>
        );
      })}
    </fieldset>
  );
}
