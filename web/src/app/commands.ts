import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Activity, Bell, BookOpen, Clock, Download, Funnel, LayoutDashboard, type LucideIcon, Moon, Plus, Server, Sun } from "lucide-react";
import { useMemo } from "react";
import { identityQuery } from "../api/auth.ts";
import { dashboardsQuery } from "../api/dashboards.ts";
import { environmentsQuery } from "../api/environments.ts";
import { namesQuery } from "../api/names.ts";
import { segmentsQuery } from "../api/segments.ts";
import { mayAct } from "../core/roles.ts";
import { RANGE_NAMES, ROLLING, rangeInWords } from "../core/timeRanges.ts";
import { type ScopeSearch, withTimeRange } from "../scope/search.ts";
import { useTheme } from "../scope/theme.ts";
import { useScope } from "../scope/useScope.ts";
import { PAGES, isPageForRole, openReference } from "./destinations.ts";

/** The groups of entries, in the order of the palette. */
const GROUPS = ["Pages", "Dashboards", "Events", "Segments", "Commands", "Actors", "Groups", "Bots"] as const;

/** The groups of what belongs to a question. */
type QuestionGroup = "This answer" | "Complete the question" | "Pin to" | "New widget on";

/** Something that the palette can do or open. */
export interface Command {
  id: string;
  /** The group under which it is listed. */
  group: (typeof GROUPS)[number] | QuestionGroup;
  label: string;
  /** More about it, beside the label. */
  detail?: string;
  icon: LucideIcon;
  /** The shortcut that does the same. */
  keys?: string;
  /** The palette stays open: something else is to be chosen. */
  staysOpen?: boolean;
  run: () => void;
}

/** Return everything that can be done from here, in the order of the palette. */
export function useCommands(): Command[] {
  const navigate = useNavigate();
  const { environment } = useScope();
  const { theme, toggleTheme } = useTheme();
  const { data: identity } = useQuery(identityQuery);
  const role = identity?.role;
  const mayWrite = role ? mayAct(role, "developer") : false;
  const { data: dashboards } = useQuery(dashboardsQuery);
  const { data: environments } = useQuery(environmentsQuery);
  const { data: names } = useQuery(namesQuery(environment));
  const { data: segments } = useQuery(segmentsQuery);
  return useMemo(() => {
    const changeSearch = (update: (search: ScopeSearch) => ScopeSearch) =>
      void navigate({ to: ".", search: (currentSearch: ScopeSearch) => update(currentSearch) });
    const pageCommands = PAGES.filter((page) => isPageForRole(role, page)).map(({ label, to, icon, key }): Command => {
      return { id: to, group: "Pages", label, icon, keys: `g ${key}`, run: () => void navigate({ to }) };
    });
    const dashboardCommands = (dashboards ?? []).map(({ id, name }): Command => {
      const run = () => void navigate({ to: "/d/$id", params: { id } });
      return { id, group: "Dashboards", label: name, icon: LayoutDashboard, run };
    });
    const eventCommands = (names?.events ?? []).map(({ name }): Command => {
      const run = () => void navigate({ to: "/events", search: { name } });
      return { id: `event ${name}`, group: "Events", label: name, icon: Activity, run };
    });
    const segmentCommands = (segments ?? []).map(({ id, name, environment: segmentEnvironment }): Command => {
      const run = () => void navigate({ to: "/events", search: { env: segmentEnvironment, range: "7d", seg: id } });
      return { id, group: "Segments", label: name, icon: Funnel, run };
    });
    const timeRangeCommands = RANGE_NAMES.map((name): Command => {
      const run = () => changeSearch((search) => withTimeRange(search, { timeRange: name }));
      const shortcutNumber = ROLLING.findIndex((range) => range === name) + 1;
      return { ...(shortcutNumber > 0 ? { keys: String(shortcutNumber) } : {}), id: name, group: "Commands", label: `Show ${rangeInWords(name).toLowerCase()}`, icon: Clock, run };
    });
    const commandOf = (id: string, label: string, icon: LucideIcon, run: () => void): Command =>
      ({ id, group: "Commands", label, icon, run });
    const createThing = (thing: "dashboard" | "digest" | "annotation" | "segment") =>
      commandOf(`new ${thing}`, `New ${thing}`, Plus, () => void navigate({ to: `/${thing}s`, search: { new: "1" } }));
    const createAlert = commandOf("new alert", "New alert", Bell, () => void navigate({ to: "/alerts/new" }));
    const otherThings = (["digest", "annotation", "segment"] as const).map(createThing);
    const createCommands = mayWrite ? [createThing("dashboard"), createAlert, ...otherThings] : [];
    return [
      ...pageCommands,
      ...dashboardCommands,
      ...eventCommands,
      ...segmentCommands,
      ...createCommands,
      commandOf("export", "Export events", Download, () => void navigate({ to: "/export" })),
      commandOf("reference", "API reference", BookOpen, openReference),
      ...(environments ?? []).map(({ name, displayName }) => {
        const run = () => changeSearch((search) => ({ ...search, env: name }));
        return commandOf(`environment ${name}`, `Switch to ${displayName ?? name}`, Server, run);
      }),
      ...timeRangeCommands,
      theme === "dark" ? commandOf("theme", "Use light theme", Sun, toggleTheme) : commandOf("theme", "Use dark theme", Moon, toggleTheme),
    ];
  }, [navigate, theme, toggleTheme, dashboards, environments, names, segments, role, mayWrite]);
}

/** Return the words that were typed. */
export const wordsOf = (query: string): string[] => query.split(/\s+/).filter(Boolean);

/**
 * Return the commands that match what was typed: every word somewhere. In its group, what begins with the
 * first word comes first.
 */
export function matchingCommands(commands: Command[], query: string): Command[] {
  const words = wordsOf(query.toLowerCase());
  const rankOf = ({ label, group }: Command) =>
    GROUPS.findIndex((candidate) => candidate === group) * 2 + (label.toLowerCase().startsWith(words[0] ?? "") ? 0 : 1);
  const matches = commands.filter(({ label, group }) => {
    const text = `${label} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return words.length > 0 ? matches.toSorted((left, right) => rankOf(left) - rankOf(right)) : matches;
}
