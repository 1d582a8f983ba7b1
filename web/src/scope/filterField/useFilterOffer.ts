import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type EventName, type PropertyKey, namesQuery } from "../../api/names.ts";
import { type Question, type Result, questionQuery } from "../../api/widgets.ts";
import { formatExact } from "../../core/numbers.ts";
import type { ComboOption } from "../../ui/Combobox/matches.ts";
import type { Judge } from "../../ui/Combobox/typedText.ts";
import { takesValue } from "../filters.ts";
import { OWN_FIELDS, propertyKey } from "../propertyKey.ts";
import { keyJudge } from "../seenNames.ts";
import { lastPartsOf } from "./options.ts";
import type { TypesByKey } from "./parts.ts";

/** The keys of an environment, as they are offered and judged. */
export interface KeyOffer {
  keys: readonly ComboOption[];
  types: TypesByKey;
  keyJudge: Judge;
  events: readonly EventName[];
  properties: readonly PropertyKey[];
}

const MAX_VALUES = 50;
const NO_KEY = "";

/** Return the keys that a filter can have in an environment. */
export function useKeyOffer(environment: string): KeyOffer {
  const { data: names } = useQuery(namesQuery(environment));
  return useMemo(() => {
    const { events = [], properties = [] } = names ?? {};
    const seenKeys = properties.map(({ key, types }) => ({ value: propertyKey(key), types }));
    return {
      keys: [...seenKeys.map(({ value, types }) => ({ value, detail: types.join(", ") })), ...OWN_FIELDS],
      types: new Map<string, readonly string[]>([...OWN_FIELDS, ...seenKeys].map((field) => [field.value, "types" in field ? field.types : ["string"]])),
      keyJudge: keyJudge(names?.properties),
      events,
      properties,
    };
  }, [names]);
}

/** Return the values of the key with which a text ends: the most frequent ones with their counts, then examples. */
export function useValueOffer(environment: string, text: string, { types, events, properties }: KeyOffer): readonly ComboOption[] {
  const key = valueKeyOf(lastPartsOf(text, types));
  const { data: counts } = useQuery({ ...questionQuery(countsQuestion(environment, key)), enabled: key !== "name" && types.has(key) });
  if (key === "name") return events.map(({ name, count }) => ({ value: name, detail: formatExact(count) }));
  return valuesOf(counts, properties.find((property) => propertyKey(property.key) === key)?.examples ?? []);
}

/** Return the key whose value is being written, or none. */
const valueKeyOf = (parts: ReturnType<typeof lastPartsOf>): string => (parts.stage === "value" && takesValue(parts.op) ? parts.key : NO_KEY);

/** Ask how many events of the last 30 days had each value of a key. */
const countsQuestion = (environment: string, key: string): Question => ({
  environment,
  type: "metric",
  timeRange: "30d",
  config: { events: "all", measure: "count", breakdown: key, limit: MAX_VALUES, compare: false },
});

function valuesOf(counts: Result | undefined, examples: readonly string[]): ComboOption[] {
  const rows = counts?.kind === "categorical" ? counts.rows : [];
  const countedValues = rows.flatMap(({ label, value }) => (label === null || value === null ? [] : [{ value: label, detail: formatExact(value) }]));
  const labels = new Set(countedValues.map(({ value }) => value));
  return [...countedValues, ...examples.filter((example) => !labels.has(example)).map((example) => ({ value: example }))];
}
