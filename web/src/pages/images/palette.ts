const COLOR_COUNT = 8;

/** Return the colors of series in a theme, in the order of the server's pictures, as `#rrggbb`. */
export function paletteOf(theme: "light" | "dark"): string[] {
  const probe = document.createElement("i");
  probe.dataset.theme = theme;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colors = Array.from({ length: COLOR_COUNT }, (_, index) => style.getPropertyValue(`--s${index + 1}`).trim());
  probe.remove();
  return colors;
}
