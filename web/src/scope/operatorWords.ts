import { OPERATORS, type Operator } from "./filters.ts";

/** Other ways to write an operator. */
const SYNONYMS: Record<Operator, readonly string[]> = {
  eq: ["="],
  neq: ["!="],
  contains: [],
  starts_with: ["begins with"],
  in: ["in"],
  not_in: ["not in"],
  has: [],
  exists: ["exists"],
  not_exists: [],
  gt: ["above", "more than"],
  gte: [">=", "at least"],
  lt: ["below", "less than"],
  lte: ["<=", "at most"],
  regex: [],
};

/** Every operator with its words in a filter field and in a line; the first are those that it is written with. */
export const OPERATOR_WORDS = Object.entries(OPERATORS).map(([op, word]) => [op as Operator, word, ...SYNONYMS[op as Operator]] as const);
