import { createContext, useContext } from "react";
import type { Buckets } from "../core/buckets.ts";
import type { Annotation, Spot } from "./definition.ts";

/** What the widgets of a page have in common, and what a click on one does. */
export interface DashboardContextValue {
  /** The workspace's zone (IANA), which rules days, weeks and months. */
  timezone: string;
  /** Marks on the time line of the environment. */
  annotations: readonly Annotation[];
  /** Show who is behind a number; absent where nobody may ask. */
  onSpot?: ((spot: Spot) => void) | undefined;
  /** The number that is open beside the widgets, if it is one of this widget. */
  openSpot?: Spot | undefined;
  /** Open an actor; absent on public pages. */
  onActor?: ((actorKey: string) => void) | undefined;
  /** Show the time of some buckets; absent where the page has no time range. */
  onBuckets?: ((buckets: Buckets) => void) | undefined;
  /** Mark a moment (RFC 3339) of the environment; absent for those who may not. */
  onAnnotate?: ((t: string) => void) | undefined;
}

export const DashboardContext = createContext<DashboardContextValue>({ timezone: "UTC", annotations: [] });
export const useDashboardContext = (): DashboardContextValue => useContext(DashboardContext);
