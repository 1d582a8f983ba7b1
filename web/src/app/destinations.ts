import {
  Activity, Bell, Boxes, FileUp, Flag, Funnel, GitCompareArrows, Image, KeyRound, LayoutDashboard, type LucideIcon, Mail,
  Plug, Settings2, Trophy, Upload, User,
} from "lucide-react";
import { type Role, mayAct } from "../core/roles.ts";

/** A page that the navigation, the palette and the shortcuts lead to, all from this one list. */
interface Destination {
  label: string;
  to:
    | `/${"dashboards" | "events" | "actors" | "groups" | "alerts" | "digests" | "annotations" | "segments" | "bots"}`
    | `/${"bots/compare" | "bots/image" | "bots/feeding" | "import" | "keys" | "sources" | "settings"}`;
  icon: LucideIcon;
  /** The letter after `g`. */
  key: string;
  /** The role from which on somebody can do anything there; everybody if absent. */
  role?: Role;
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
  {
    group: "Act",
    pages: [
      { label: "Alerts", to: "/alerts", icon: Bell, key: "l" },
      { label: "Digests", to: "/digests", icon: Mail, key: "m" },
      { label: "Annotations", to: "/annotations", icon: Flag, key: "n" },
      { label: "Segments", to: "/segments", icon: Funnel, key: "s" },
    ],
  },
  {
    group: "Bots",
    pages: [
      { label: "Rankings", to: "/bots", icon: Trophy, key: "b" },
      { label: "Compare", to: "/bots/compare", icon: GitCompareArrows, key: "c" },
      { label: "Image builder", to: "/bots/image", icon: Image, key: "i" },
      { label: "Feeding", to: "/bots/feeding", icon: Upload, key: "f" },
    ],
  },
  {
    group: "Setup",
    pages: [
      { label: "Import", to: "/import", icon: FileUp, key: "u", role: "developer" },
      { label: "API keys", to: "/keys", icon: KeyRound, key: "k" },
      { label: "Sources", to: "/sources", icon: Plug, key: "x" },
      { label: "Settings", to: "/settings", icon: Settings2, key: "," },
    ],
  },
];

/** Every page of the navigation. */
export const PAGES = DESTINATIONS.flatMap(({ pages }) => pages);

/** Whether a page is of any use to somebody of a role. */
export const isPageForRole = (role: Role | undefined, page: Destination): boolean =>
  page.role === undefined || (role !== undefined && mayAct(role, page.role));

/** Open the API reference next to the app: it is a page of the server, not of the app. */
export const openReference = (): void => void window.open("/docs", "_blank", "noopener");
