import fixture from "../../../fixtures/questions/lines.json";
import type { LineNames } from "./question.ts";

const { groupKey, ...names } = fixture.names;

/** The names with which the lines of `fixtures/questions/` are read. */
export const NAMES: LineNames = {
  ...names,
  environment: "production",
  areKnown: true,
  groupKeys: [{ propKey: groupKey, label: null, isDefault: true }],
  sources: [],
};
