import styles from "./ColorInput.module.css";

export interface ColorInputProps {
  label: string;
  /** As `#rrggbb`. */
  value: string;
  onChange: (color: string) => void;
}

/** A color, chosen in the browser's own picker. */
export function ColorInput({ label, value, onChange }: ColorInputProps) {
  return <input type="color" className={styles.color} aria-label={label} title={label} value={value} onChange={(event) => onChange(event.target.value)} />;
}
