import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { BookOpen, ChevronsUpDown, CircleHelp, LogOut, MenuIcon, Moon, Search, Settings2, Sun, X } from "lucide-react";
import { useState } from "react";
import { identityQuery, signOut, switchWorkspace } from "../api/auth.ts";
import { dashboardsQuery } from "../api/dashboards.ts";
import { paletteKeys } from "../core/keys.ts";
import { beginAgain, tellOtherTabs } from "../scope/otherTabs.ts";
import { selectPinned, usePinned } from "../scope/pinnedDashboards.ts";
import { useTheme } from "../scope/theme.ts";
import { Avatar } from "../ui/Badge/Avatar.tsx";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import { IconButton } from "../ui/Button/IconButton.tsx";
import { Logo } from "../ui/Logo/Logo.tsx";
import { Menu } from "../ui/Menu/Menu.tsx";
import { DESTINATIONS, PAGES, isFor } from "./destinations.ts";
import { FiringCount } from "./FiringCount.tsx";
import { openReference } from "./reference.ts";
import styles from "./Navigation.module.css";

export interface NavigationProps {
  onPalette: () => void;
  onHelp: () => void;
}

/** The navigation at the left: workspace, search, pages in groups, and who is signed in. On phones it opens on demand. */
export function Navigation({ onPalette, onHelp }: NavigationProps) {
  const { pathname } = useLocation();
  const { data: identity } = useQuery(identityQuery);
  // Opened on one page, it is closed on the next.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const open = openedOn === pathname;
  return (
    <header className={styles.side} data-open={open}>
      <div className={styles.top}>
        <WorkspaceMenu />
        <span className={styles.phone}>
          <IconButton label="Search" icon={Search} onClick={onPalette} />
          <IconButton
            label={open ? "Close navigation" : "Open navigation"}
            icon={open ? X : MenuIcon}
            aria-expanded={open}
            onClick={() => setOpenedOn(open ? null : pathname)}
          />
        </span>
      </div>
      <button type="button" className={styles.search} onClick={onPalette}>
        <Search size={14} aria-hidden="true" />
        <span className={styles.searchWord}>Search</span>
        <Kbd>{paletteKeys()}</Kbd>
      </button>
      <nav className={styles.nav} aria-label="Main">
        {DESTINATIONS.map(({ group, pages }) => (
          <div key={group} className={styles.group}>
            <h2 className={styles.heading}>{group}</h2>
            <ul>
              {pages.filter((page) => isFor(identity?.role, page)).map(({ label, to, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.item}
                    data-active={isBelow(to, pathname) || undefined}
                    activeOptions={{ exact: isAmongOthers(to, pathname) }}
                    activeProps={{ "data-active": true }}
                  >
                    <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
                    {label}
                    {to === "/alerts" ? <FiringCount /> : null}
                  </Link>
                  {to === "/dashboards" ? <PinnedDashboards /> : null}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Person onHelp={onHelp} />
    </header>
  );
}

/** Whether a page below this one stands in the navigation itself, and is the active one in its place. */
function isAmongOthers(to: string, pathname: string): boolean {
  return PAGES.some((page) => page.to !== to && page.to.startsWith(`${to}/`) && pathname.startsWith(page.to));
}

/** Pages that are reached from one in the navigation, and have no entry of their own. */
function isBelow(to: string, pathname: string): boolean {
  if (to === "/settings") return pathname === "/export";
  return to === "/dashboards" && pathname.startsWith("/d/");
}

function PinnedDashboards() {
  const { data: dashboards = [] } = useQuery(dashboardsQuery);
  const ids = usePinned();
  const pins = selectPinned(dashboards, ids);
  if (pins.length === 0) return null;
  return (
    <ul className={styles.pinned} aria-label="Pinned dashboards">
      {pins.map(({ id, name }) => (
        <li key={id}>
          <Link to="/d/$id" params={{ id }} className={styles.item} activeProps={{ "data-active": true }}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function WorkspaceMenu() {
  const { data: identity } = useQuery(identityQuery);
  if (!identity) return null;
  const enter = async (id: string) => {
    await switchWorkspace(id);
    tellOtherTabs();
    beginAgain();
  };
  return (
    <Menu
      label="Workspace"
      trigger={
        <button type="button" className={styles.workspace}>
          <Logo size={22} />
          <span className={styles.workspaceName}>{identity.workspace.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </button>
      }
      items={identity.workspaces.map(({ id, name }) => ({
        label: name,
        hint: id === identity.workspace.id ? "current" : "",
        onSelect: () => void enter(id),
      }))}
    />
  );
}

function Person({ onHelp }: { onHelp: () => void }) {
  const { data: identity } = useQuery(identityQuery);
  const { theme, toggle } = useTheme();
  const navigate = useNavigate();
  const leave = async () => {
    await signOut();
    // A new page, so that nothing of the person's stays in memory.
    window.location.assign("/");
  };
  if (!identity) return null;
  return (
    <div className={styles.person}>
      <Menu
        label="You"
        trigger={
          <button type="button" className={styles.you}>
            <Avatar name={identity.user.name} />
            <span className={styles.yourName}>
              <span className={styles.personName}>{identity.user.name}</span>
              <span className={styles.role}>{identity.role}</span>
            </span>
          </button>
        }
        items={[
          { label: "Settings", icon: Settings2, onSelect: () => void navigate({ to: "/settings" }) },
          { label: "API reference", icon: BookOpen, onSelect: openReference },
          "separator",
          { label: "Sign out", icon: LogOut, onSelect: () => void leave() },
        ]}
      />
      <IconButton
        label={theme === "dark" ? "Use the light theme" : "Use the dark theme"}
        icon={theme === "dark" ? Sun : Moon}
        onClick={toggle}
      />
      <IconButton label="Shortcuts" icon={CircleHelp} onClick={onHelp} />
    </div>
  );
}
