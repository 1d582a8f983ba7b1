import { Activity, Boxes, KeyRound, LayoutDashboard, type LucideIcon, User } from "lucide-react";

/** A page that the navigation, the palette and the shortcuts lead to, all from this one list. */
export interface Destination {
  label: string;
  to: "/dashboards" | "/events" | "/actors" | "/groups" | "/keys";
  icon: LucideIcon;
  /** The letter after `g`. */
  key: string;
}

/** The pages in their groups, as the navigation shows them. */
export const DESTINATIONS: { group: string; pages: Destination[] }[] = [
  {
    group: "Explore",
    pages: [
      { label: "Dashboards", to: "/dashboards", icon: LayoutDashboard, key: "d" },
      { label: "Events", to: "/events", icon: Activity, key: "e" },
      { label: "Actors", to: "/actors", icon: User, key: "a" },
      { label: "Groups", to: "/groups", icon: Boxes, key: "o" },
    ],
  },
  { group: "Setup", pages: [{ label: "API keys", to: "/keys", icon: KeyRound, key: "k" }] },
];

/** Every page of the navigation. */
export const PAGES = DESTINATIONS.flatMap(({ pages }) => pages);
