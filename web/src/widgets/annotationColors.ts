import { legibleOn } from "../core/contrast.ts";

/** A color of annotations: how it is saved, and how each theme shows it. */
export interface AnnotationColor {
  value: string;
  name: string;
  cssColor: string;
}

/** The colors that the form offers. They are saved as the light theme shows them. */
export const ANNOTATION_COLORS: readonly AnnotationColor[] = [
  { value: "#1853c6", name: "Blue", cssColor: "var(--accent)" },
  { value: "#b91c1c", name: "Red", cssColor: "var(--error)" },
  { value: "#da7817", name: "Orange", cssColor: "var(--s2)" },
  { value: "#2ba561", name: "Green", cssColor: "var(--s3)" },
  { value: "#841fb1", name: "Purple", cssColor: "var(--s4)" },
  { value: "#7f8596", name: "Gray", cssColor: "var(--rest)" },
];

/** What the API gives an annotation that names no color. */
const UNCHOSEN = "#0072b2";

/** The ground of a chart in each theme. */
export const CHART_GROUNDS = { light: "#ffffff", dark: "#17171b" };

/** Return how a saved color is shown: one of the six as the theme has it, any other so that it stands out in each theme. */
export function cssColorOf(color: string): string {
  const value = color.toLowerCase() === UNCHOSEN ? ANNOTATION_COLORS[0]?.value : color.toLowerCase();
  return ANNOTATION_COLORS.find((option) => option.value === value)?.cssColor ?? legibleInBoth(color.toLowerCase());
}

const legibleInBoth = (color: string): string =>
  `light-dark(${legibleOn(CHART_GROUNDS.light, color)}, ${legibleOn(CHART_GROUNDS.dark, color)})`;
