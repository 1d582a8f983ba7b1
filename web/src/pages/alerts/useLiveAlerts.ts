import { useQuery } from "@tanstack/react-query";
import { activityQuery, alertsQuery, historyQuery } from "../../api/alerts.ts";

/** How often an open list asks what its alerts do, in milliseconds; a hidden tab does not. */
const REFETCH_MS = 4_000;

/** How often an open list asks for its days: a new one begins, or an evaluation is the first of a day. */
const HISTORY_REFETCH_MS = 60_000;

/** How many entries of the activity are shown at first, and how many at most. */
export const FIRST_ENTRY_COUNT = 50;
export const MAX_ENTRY_COUNT = 200;

/** What has never loaded is not asked for again by itself: the page has a button for that. */
const refetchIntervalMs = ({ state }: { state: { data: unknown } }) => (state.data === undefined ? false : REFETCH_MS);

/** The alerts, as of a few seconds ago at most. */
export const useLiveAlerts = () => useQuery({ ...alertsQuery, refetchInterval: refetchIntervalMs });

/** What alerts did, as of a few seconds ago at most. */
export const useLiveActivity = (limit: number) =>
  useQuery({ ...activityQuery(limit), refetchInterval: refetchIntervalMs, placeholderData: (previousData) => previousData });

/**
 * The last days of every alert, as of a minute ago at most.
 *
 * @param newestEntryId - of the activity; another one may be an incident, so the days are asked for again.
 */
export const useLiveHistory = (newestEntryId: string | undefined) =>
  useQuery({ ...historyQuery(newestEntryId), refetchInterval: HISTORY_REFETCH_MS, placeholderData: (previousData) => previousData });
