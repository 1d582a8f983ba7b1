import { EMPTY_PICTURE, type Picture, type Series } from "./picture.ts";

const FIRST_DAY_S = Date.UTC(2026, 10, 1) / 1_000;
const DAY_S = 86_400;
const VALUES = [640, 690, 720, 705, 760, 840, 880, 860, 910, 985, 1_040, 1_020, 1_110, 1_200];

/** The series of a new picture, which shows what each choice does. */
const EXAMPLE_SERIES: Series = {
  key: 0,
  name: "Example",
  color: null,
  points: VALUES.map((y, day) => ({ x: FIRST_DAY_S + day * DAY_S, y })),
};

/** What the page opens with, unless its address names bots. */
export const EXAMPLE_PICTURE: Picture = { ...EMPTY_PICTURE, series: [EXAMPLE_SERIES] };

/** Return series without the example, which makes room for the first real one; an example that was changed stays. */
export function withoutExample(series: readonly Series[]): readonly Series[] {
  const exampleText = JSON.stringify(EXAMPLE_SERIES);
  return series.filter((entry) => JSON.stringify(entry) !== exampleText);
}
