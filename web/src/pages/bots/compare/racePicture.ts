import type { Metric, TimeFrame } from "../../../core/bots.ts";
import type { RaceView } from "./race.ts";

export interface RacePicture {
  slug: string;
  botIds: readonly string[];
  metric: Metric;
  view: RaceView;
  timeFrame: TimeFrame;
  /** The colors of the lines on the page, 1 to 8, by id. */
  colors: ReadonlyMap<string, number>;
}

/** An SVG follows the theme of its reader; chats show only a PNG. */
export type PictureFile = "svg" | "png";

/** Return the path of the picture of a race, which stays up to date. */
export function racePicturePath({ slug, botIds, metric, view, timeFrame, colors }: RacePicture, file: PictureFile): string {
  const look = file === "svg" ? "theme=auto" : "scale=2";
  const lineColors = botIds.map((id) => `color=${colors.get(id) ?? 1}`).join("&");
  return `/custom/bots/${slug}/race.${file}?ids=${botIds.join(",")}&metric=${metric}&as=${view}&timeFrame=${timeFrame}&${look}&${lineColors}`;
}
