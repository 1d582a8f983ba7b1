import { expect, test } from "vitest";
import { racePicturePath } from "./racePicture.ts";

const PICTURE = {
  slug: "abc",
  botIds: ["2", "1"],
  metric: "server_count",
  view: "growth",
  timeFrame: "7d",
  colors: new Map([["1", 5], ["2", 8]]),
} as const;

test("a picture shows what the page shows, in its colors", () => {
  expect(racePicturePath(PICTURE, "svg")).toBe("/custom/bots/abc/race.svg?ids=2,1&metric=server_count&as=growth&timeFrame=7d&theme=auto&color=8&color=5");
  expect(racePicturePath(PICTURE, "png")).toContain("/race.png?ids=2,1&metric=server_count&as=growth&timeFrame=7d&scale=2&color=8");
});
