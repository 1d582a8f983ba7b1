import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Event } from "../../api/events.ts";
import { groupKeysQuery } from "../../api/groups.ts";

/** The default group key, as a column of events. */
export interface GroupColumn {
  label: string;
  propKey: string;
}

/** Return the default group key; null without one, and on a plan without groups; undefined until that is known. */
export function useGroupColumn(environment: string): GroupColumn | null | undefined {
  const { data, isPending } = useQuery(groupKeysQuery(environment));
  return useMemo(() => {
    if (isPending) return undefined;
    const defaultKey = data?.keys.find(({ isDefault }) => isDefault);
    return defaultKey ? { label: defaultKey.label, propKey: defaultKey.propKey } : null;
  }, [data, isPending]);
}

/** Return the group of an event; null if it is in none. */
export function groupKeyOf({ properties }: Pick<Event, "properties">, column: GroupColumn | null): string | null {
  if (!column || typeof properties !== "object" || properties === null || !Object.hasOwn(properties, column.propKey)) return null;
  const value: unknown = (properties as Record<string, unknown>)[column.propKey];
  return typeof value === "string" && value !== "" ? value : null;
}
