import { useQuery } from "@tanstack/react-query";
import { activityQuery, alertsQuery } from "../../api/alerts.ts";

/** How often an open list asks what its alerts do, in milliseconds; a hidden tab does not. */
const LIVE_MS = 4_000;

/** How many entries of the activity are shown at first, and how many at most. */
export const FIRST_ENTRIES = 50;
export const MAX_ENTRIES = 200;

/** What has never loaded is not asked for again by itself: the page has a button for that. */
const liveInterval = ({ state }: { state: { data: unknown } }) => (state.data === undefined ? false : LIVE_MS);

/** The alerts, as of a few seconds ago at most. */
export const useLiveAlerts = () => useQuery({ ...alertsQuery, refetchInterval: liveInterval });

/** What alerts did, as of a few seconds ago at most. */
export const useLiveActivity = (limit: number) =>
  useQuery({ ...activityQuery(limit), refetchInterval: liveInterval, placeholderData: (before) => before });
