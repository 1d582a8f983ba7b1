import { expect, test } from "vitest";
import { contrastOf, legibleOn } from "./contrast.ts";

test("contrast goes from 1 to 21", () => {
  expect([contrastOf("#ffffff", "#000000"), contrastOf("#123456", "#123456")]).toEqual([21, 1]);
  expect(contrastOf("#4338ca", "#17171b")).toBeCloseTo(2.26, 1);
});

test("every color stands out from both grounds, and one that does already stays", () => {
  const channels = ["00", "33", "80", "cc", "ff"];
  for (const ground of ["#ffffff", "#17171b"]) {
    for (const red of channels) {
      for (const green of channels) {
        for (const blue of channels) {
          const color = `#${red}${green}${blue}`;
          const legible = legibleOn(ground, color);
          expect(contrastOf(legible, ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(3);
          if (contrastOf(color, ground) >= 3) expect(legible).toBe(color);
        }
      }
    }
  }
});
