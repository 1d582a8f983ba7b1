import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { ColorInput } from "./ColorInput.tsx";
import styles from "./LookCard.module.css";
import type { Picture } from "./picture.ts";

export interface LookCardProps {
  picture: Picture;
  onChange: (change: Partial<Picture>) => void;
}

type Ground = "theme" | "transparent" | "color";

const THEMES = [
  { value: "auto", label: "Reader’s choice" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;
const FILES = [
  { value: "svg", label: "SVG" },
  { value: "png", label: "PNG" },
  { value: "png2", label: "PNG 2×" },
] as const;
const GROUNDS: { value: Ground; label: string }[] = [
  { value: "theme", label: "Theme’s" },
  { value: "transparent", label: "None" },
  { value: "color", label: "Color" },
];
const FIRST_COLOR = "#ffffff";

/** Title, size, theme, kind of file, background and shading of a picture. */
export function LookCard({ picture, onChange }: LookCardProps) {
  const { title, width, height, theme, file, background } = picture;
  const ground: Ground = background === null ? "theme" : background === "transparent" ? background : "color";
  const setGround = (next: Ground) => onChange({ background: next === "theme" ? null : next === "transparent" ? next : FIRST_COLOR });
  return (
    <section className={styles.card} aria-label="Look">
      <TextField label="Title" value={title} onChange={(next) => onChange({ title: next })} maxLength={200} />
      <div className={styles.sizes}>
        <TextField label="Width" inputMode="numeric" end={<span className={styles.unit}>px</span>} value={width} onChange={(next) => onChange({ width: next.trim() })} />
        <TextField label="Height" inputMode="numeric" end={<span className={styles.unit}>px</span>} value={height} onChange={(next) => onChange({ height: next.trim() })} />
      </div>
      <Choice label="Theme">
        <Segmented label="Theme" value={theme} onChange={(next) => onChange({ theme: next })} options={THEMES} />
        {theme === "auto" && file !== "svg" ? <p className={styles.hint}>A PNG has one theme, so it is light.</p> : null}
      </Choice>
      <Choice label="File">
        <Segmented label="File" value={file} onChange={(next) => onChange({ file: next })} options={FILES} />
      </Choice>
      <Choice label="Background">
        <div className={styles.ground}>
          <Segmented label="Background" value={ground} onChange={setGround} options={GROUNDS} />
          {ground === "color" ? <ColorInput label="Color of the background" value={background ?? FIRST_COLOR} onChange={(next) => onChange({ background: next })} /> : null}
        </div>
      </Choice>
      <SwitchField label="Shade below lines" checked={isShaded(picture)} onChange={(fill) => onChange({ fill })} />
    </section>
  );
}

/** Unless somebody chose, the server shades a lone line that is never below zero. */
function isShaded({ fill, series }: Picture): boolean {
  const lines = series.filter(({ points }) => points.length > 0);
  return fill ?? (lines.length === 1 && lines.every(({ points }) => points.every(({ y }) => y >= 0)));
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.choice}>
      <p className={styles.label} aria-hidden="true">
        {label}
      </p>
      {children}
    </div>
  );
}
