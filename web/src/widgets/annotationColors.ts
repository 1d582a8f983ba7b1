/** A color of annotations: how it is saved, and how each theme shows it. */
export interface AnnotationColor {
  value: string;
  name: string;
  shown: string;
}

/** The colors that the form offers. They are saved as the light theme shows them. */
export const ANNOTATION_COLORS: readonly AnnotationColor[] = [
  { value: "#1853c6", name: "Blue", shown: "var(--accent)" },
  { value: "#b91c1c", name: "Red", shown: "var(--error)" },
  { value: "#d45c34", name: "Orange", shown: "var(--s2)" },
  { value: "#019b62", name: "Green", shown: "var(--s3)" },
  { value: "#8b07c0", name: "Purple", shown: "var(--s4)" },
  { value: "#7f8596", name: "Gray", shown: "var(--s8)" },
];

/** What the API gives an annotation that names no color. */
const UNCHOSEN = "#0072b2";

/** Return how a saved color is shown: one of the six as the theme has it, any other as it is. */
export function shownColor(color: string): string {
  const value = color.toLowerCase() === UNCHOSEN ? ANNOTATION_COLORS[0]?.value : color.toLowerCase();
  return ANNOTATION_COLORS.find((option) => option.value === value)?.shown ?? color;
}
