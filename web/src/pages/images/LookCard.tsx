import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { ColorInput } from "./ColorInput.tsx";
import styles from "./LookCard.module.css";
import type { Picture } from "./picture.ts";

type BackgroundKind = "theme" | "transparent" | "color";

const THEME_OPTIONS = [
  { value: "auto", label: "Reader's choice" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;
const FILE_OPTIONS = [
  { value: "svg", label: "SVG" },
  { value: "png", label: "PNG" },
  { value: "png2", label: "PNG 2×" },
] as const;
const BACKGROUND_OPTIONS: { value: BackgroundKind; label: string }[] = [
  { value: "theme", label: "From theme" },
  { value: "transparent", label: "None" },
  { value: "color", label: "Color" },
];
const INITIAL_COLOR = "#ffffff";

/** Title, size, theme, kind of file, background and shading of a picture. */
export function LookCard({ picture, onChange }: { picture: Picture; onChange: (change: Partial<Picture>) => void }) {
  const { title, width, height, theme, file, background } = picture;
  const backgroundKind: BackgroundKind = background === null ? "theme" : background === "transparent" ? background : "color";
  const setBackgroundKind = (newKind: BackgroundKind) =>
    onChange({ background: newKind === "theme" ? null : newKind === "transparent" ? newKind : INITIAL_COLOR });
  return (
    <section className={styles.card} aria-label="Look">
      <TextField label="Title" value={title} onChange={(newTitle) => onChange({ title: newTitle })} maxLength={200} />
      <div className={styles.sizes}>
        <TextField label="Width" inputMode="numeric" suffix={<span className={styles.unit}>px</span>} value={width} onChange={(newWidth) => onChange({ width: newWidth.trim() })} />
        <TextField label="Height" inputMode="numeric" suffix={<span className={styles.unit}>px</span>} value={height} onChange={(newHeight) => onChange({ height: newHeight.trim() })} />
      </div>
      <Choice label="Theme">
        <Segmented label="Theme" value={theme} onChange={(newTheme) => onChange({ theme: newTheme })} options={THEME_OPTIONS} />
        {theme === "auto" && file !== "svg" ? <p className={styles.hint}>A PNG can't adapt to the reader's theme, so it's light.</p> : null}
      </Choice>
      <Choice label="File">
        <Segmented label="File" value={file} onChange={(newFile) => onChange({ file: newFile })} options={FILE_OPTIONS} />
      </Choice>
      <Choice label="Background">
        <div className={styles.ground}>
          <Segmented label="Background" value={backgroundKind} onChange={setBackgroundKind} options={BACKGROUND_OPTIONS} />
          {backgroundKind === "color" ? <ColorInput label="Background color" value={background ?? INITIAL_COLOR} onChange={(newColor) => onChange({ background: newColor })} /> : null}
        </div>
      </Choice>
      <SwitchField label="Shade below lines" checked={isShaded(picture)} onChange={(fill) => onChange({ fill })} />
    </section>
  );
}

/** Unless somebody chose, the server shades a lone line that is never below zero. */
function isShaded({ fill, series }: Picture): boolean {
  const drawnSeries = series.filter(({ points }) => points.length > 0);
  return fill ?? (drawnSeries.length === 1 && drawnSeries.every(({ points }) => points.every(({ y }) => y >= 0)));
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
