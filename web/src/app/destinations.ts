import {
  Activity,
  Bell,
  Boxes,
  Flag,
  Funnel,
  GitCompareArrows,
  Image,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Plug,
  Settings2,
  Trophy,
  Upload,
  User,
} from "lucide-react";

/** A page that the navigation, the palette and the shortcuts lead to, all from this one list. */
export interface Destination {
  label: string;
  to:
    | "/dashboards"
    | "/events"
    | "/actors"
    | "/groups"
    | "/alerts"
    | "/digests"
    | "/annotations"
    | "/segments"
    | "/bots"
    | "/bots/compare"
    | "/bots/image"
    | "/bots/feeding"
    | "/keys"
    | "/sources"
    | "/settings";
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
      { label: "API keys", to: "/keys", icon: KeyRound, key: "k" },
      { label: "Sources", to: "/sources", icon: Plug, key: "x" },
      { label: "Settings", to: "/settings", icon: Settings2, key: "," },
    ],
  },
];

/** Every page of the navigation. */
export const PAGES = DESTINATIONS.flatMap(({ pages }) => pages);
