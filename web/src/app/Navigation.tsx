import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { BookOpen, ChevronsUpDown, CircleHelp, LogOut, MenuIcon, Moon, Search, Settings2, Sun, X } from "lucide-react";
import { Suspense, useState } from "react";
import { type Identity, identityQuery, signOut, switchWorkspace } from "../api/auth.ts";
import { dashboardsQuery } from "../api/dashboards.ts";
import { countDrafts, forgetDrafts } from "../core/drafts.ts";
import { paletteKeys } from "../core/keys.ts";
import { restartApp, restartOtherTabs } from "../scope/otherTabs.ts";
import { selectPinned, usePinnedIds } from "../scope/pinnedDashboards.ts";
import { useTheme } from "../scope/theme.ts";
import { hasUnsavedWork, releaseUnsavedWork } from "../scope/work/unsavedWork.ts";
import { Avatar } from "../ui/Badge/Avatar.tsx";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import { IconButton } from "../ui/Button/IconButton.tsx";
import { Logo } from "../ui/Logo/Logo.tsx";
import { Menu } from "../ui/Menu/Menu.tsx";
import { lazily } from "../ui/lazily.ts";
import { DESTINATIONS, PAGES, isPageForRole, openReference } from "./destinations.ts";
import { FiringCount } from "./FiringCount.tsx";
import styles from "./Navigation.module.css";
import type { ShortcutActions } from "./shortcuts.ts";

const ConfirmDialog = lazily(() => import("../ui/Dialog/ConfirmDialog.tsx"), "ConfirmDialog");

/** The navigation at the left: workspace, search, pages in groups, and who is signed in. On phones it opens on demand. */
export function Navigation({ onOpenPalette, onOpenHelp }: ShortcutActions) {
  const { pathname } = useLocation();
  const { data: identity } = useQuery(identityQuery);
  // Opened on one page, it is closed on the next.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const isOpen = openedOn === pathname;
  return (
    <header className={styles.side} data-open={isOpen}>
      <div className={styles.top}>
        <WorkspaceMenu />
        <span className={styles.phone}>
          <IconButton label="Search" icon={Search} onClick={onOpenPalette} />
          <IconButton
            label={isOpen ? "Close navigation" : "Open navigation"}
            icon={isOpen ? X : MenuIcon}
            aria-expanded={isOpen}
            onClick={() => setOpenedOn(isOpen ? null : pathname)}
          />
        </span>
      </div>
      <button type="button" className={styles.search} onClick={onOpenPalette}>
        <Search size={14} aria-hidden="true" />
        <span className={styles.searchWord}>Search</span>
        <Kbd>{paletteKeys()}</Kbd>
      </button>
      <nav className={styles.nav} aria-label="Main">
        {DESTINATIONS.map(({ group, pages }) => (
          <div key={group} className={styles.group}>
            <h2 className={styles.heading}>{group}</h2>
            <ul>
              {pages.filter((page) => isPageForRole(identity?.role, page)).map(({ label, to, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.item}
                    data-active={isOnSubpage(to, pathname) || undefined}
                    activeOptions={{ exact: hasActiveSubpage(to, pathname) }}
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
      <PersonMenu onOpenHelp={onOpenHelp} />
    </header>
  );
}

/** Whether a page below this one stands in the navigation itself, and is the active one in its place. */
function hasActiveSubpage(to: string, pathname: string): boolean {
  return PAGES.some((page) => page.to !== to && page.to.startsWith(`${to}/`) && pathname.startsWith(page.to));
}

/** Pages that are reached from one in the navigation, and have no entry of their own. */
function isOnSubpage(to: string, pathname: string): boolean {
  if (to === "/settings") return pathname === "/export";
  return to === "/dashboards" && pathname.startsWith("/d/");
}

function PinnedDashboards() {
  const { data: dashboards = [] } = useQuery(dashboardsQuery);
  const pinnedIds = usePinnedIds();
  const pinnedDashboards = selectPinned(dashboards, pinnedIds);
  if (pinnedDashboards.length === 0) return null;
  return (
    <ul className={styles.pinned} aria-label="Pinned dashboards">
      {pinnedDashboards.map(({ id, name }) => (
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
  const [nextWorkspace, setNextWorkspace] = useState<Identity["workspaces"][number] | null>(null);
  if (!identity) return null;
  const enterWorkspace = async (id: string) => {
    await switchWorkspace(id);
    restartOtherTabs();
    releaseUnsavedWork();
    restartApp();
  };
  return (
    <>
      <Menu
        label="Workspace"
        trigger={
          <button type="button" className={styles.workspace}>
            <Logo size={22} />
            <span className={styles.workspaceName}>{identity.workspace.name}</span>
            <ChevronsUpDown size={14} aria-hidden="true" />
          </button>
        }
        items={identity.workspaces.map((workspace) => ({
          label: workspace.name,
          hint: workspace.id === identity.workspace.id ? "current" : "",
          onSelect: () => (hasUnsavedWork() ? setNextWorkspace(workspace) : void enterWorkspace(workspace.id)),
        }))}
      />
      {nextWorkspace ? (
        <Suspense>
          <ConfirmDialog
            title="Leave without saving?"
            detail={`Your draft stays in this browser for seven days, in ${identity.workspace.name}.`}
            confirm={`Switch to ${nextWorkspace.name}`}
            onConfirm={() => void enterWorkspace(nextWorkspace.id)}
            onClose={() => setNextWorkspace(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function PersonMenu({ onOpenHelp }: Pick<ShortcutActions, "onOpenHelp">) {
  const { data: identity } = useQuery(identityQuery);
  const { theme, toggleTheme } = useTheme();
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const leaveApp = async () => {
    await signOut();
    forgetDrafts();
    releaseUnsavedWork();
    // A new page, so that nothing of the person's stays in memory.
    window.location.assign("/");
  };
  const losesWork = () => hasUnsavedWork() || countDrafts() > 0;
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
          { label: "Sign out", icon: LogOut, onSelect: () => (losesWork() ? setIsAsking(true) : void leaveApp()) },
        ]}
      />
      <IconButton
        label={theme === "dark" ? "Use light theme" : "Use dark theme"}
        icon={theme === "dark" ? Sun : Moon}
        onClick={toggleTheme}
      />
      <IconButton label="Shortcuts" icon={CircleHelp} onClick={onOpenHelp} />
      {isAsking ? (
        <Suspense>
          <ConfirmDialog
            title="Sign out without saving?"
            detail="Signing out deletes the drafts in this browser. To keep one, open it and save it first."
            confirm="Sign out"
            onConfirm={() => void leaveApp()}
            onClose={() => setIsAsking(false)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
