/** The least contrast that a mark must have against its ground (WCAG 2.2, 1.4.11). */
const MIN_CONTRAST = 3;
const MIX_STEPS = 40;

type Rgb = readonly [number, number, number];

/** Return the contrast of two colors (#rrggbb), from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(rgbOf(one)), luminanceOf(rgbOf(other))].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Return a color (#rrggbb) that stands out from a ground: the same one, or as much of black or white mixed in as that takes. */
export function legibleOn(ground: string, color: string): string {
  const target: Rgb = luminanceOf(rgbOf(ground)) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let step = 0; step < MIX_STEPS; step += 1) {
    const mixed = hexOf(mix(rgbOf(color), target, step / MIX_STEPS));
    if (contrastOf(mixed, ground) >= MIN_CONTRAST) return mixed;
  }
  return hexOf(target);
}

const rgbOf = (color: string): Rgb => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as unknown as Rgb;

const hexOf = (rgb: Rgb): string => `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * share)) as unknown as Rgb;

function luminanceOf(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
