import { expect, test } from "vitest";
import type { Configs } from "../definition.ts";
import { withNewStep, withStep, withStepMoved, withoutStep } from "./steps.ts";

const config: Configs["funnel"] = {
  steps: [{ event: "a" }, { event: "b", filters: [{ key: "plan", op: "exists" }] }, { event: "c" }],
  windowHours: 5,
  exclude: [
    { event: "x", between: [1, 2] },
    { event: "y", between: [1, 3] },
  ],
};
const names = ({ steps }: Configs["funnel"]) => steps.map(({ event }) => event);

test("a step moves with its filters, and everything else stays", () => {
  const moved = withStepMoved(config, 1, 0);
  expect(moved).toEqual({ ...config, steps: [config.steps[1], config.steps[0], config.steps[2]] });
  expect(names(withStepMoved(config, 0, 9))).toEqual(["b", "c", "a"]);
  expect(withStepMoved(config, 1, 1)).toEqual(config);
});

test("a step is added at the end, changed and removed", () => {
  expect(names(withNewStep(config, { event: "d" }))).toEqual(["a", "b", "c", "d"]);
  expect(names(withStep(config, 1, { event: "z" }))).toEqual(["a", "z", "c"]);
  expect(withoutStep(config, 0)).toEqual({ ...config, steps: config.steps.slice(1), exclude: [config.exclude?.[0]] });
  expect(withoutStep({ steps: config.steps }, 0)).toEqual({ steps: config.steps.slice(1) });
});
