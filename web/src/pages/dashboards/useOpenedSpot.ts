import { type RegisteredRouter, getRouteApi, useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import type { Dashboard } from "../../api/dashboards.ts";
import type { Spot, Widget } from "../../api/widgets.ts";
import { spotFromText, spotSearchOf } from "../../scope/spotAddress.ts";

const route = getRouteApi("/member/d/$id");

/** Which list of those behind a number is shown. */
export type PanelTab = "units" | "groups" | "events";

export interface OpenedSpot {
  /** The number that is open; null for none. */
  opened: { widget: Widget; spot: Spot } | null;
  tab: PanelTab;
  /** Open a number; from one to another is no step in the history. */
  open: (widgetId: string, spot: Spot) => void;
  showTab: (tab: PanelTab) => void;
  /** Close it, back to where it was opened. */
  close: () => void;
}

/** The number of a dashboard that is open. The address has it, so that Back and a reload lead there again. */
export function useOpenedSpot(dashboard: Dashboard): OpenedSpot {
  const { who, at, tab } = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const { history } = router;
  /** Where in the history it was opened, if that was on this page. */
  const openedAt = useRef<number>(undefined);
  const widget = dashboard.widgets.find(({ id }) => id === who);
  const spot = spotFromText(at);
  const opened = widget && spot ? { widget, spot } : null;
  return {
    opened,
    tab: tab ?? "units",
    open: (widgetId, nextSpot) =>
      void navigate({
        search: ({ who: _who, at: _at, ...rest }) => ({ ...rest, ...spotSearchOf(widgetId, nextSpot) }),
        replace: opened !== null,
        resetScroll: false,
      }).then(() => {
        if (opened === null) openedAt.current = history.location.state.__TSR_index;
      }),
    showTab: (nextTab) =>
      void navigate({
        search: ({ tab: _tab, ...rest }) => (nextTab === "units" ? rest : { ...rest, tab: nextTab }),
        replace: true,
        resetScroll: false,
      }),
    close: () => {
      if (openedAt.current === history.location.state.__TSR_index) goBackInPlace(router);
      else void navigate({ search: ({ who: _who, at: _at, tab: _tab, ...rest }) => rest, replace: true, resetScroll: false });
    },
  };
}

/** Go one step back, but leave the page scrolled as it is. */
function goBackInPlace({ history, subscribe }: RegisteredRouter): void {
  const { scrollY } = window;
  const stop = subscribe("onRendered", () => {
    stop();
    window.scrollTo({ top: scrollY });
  });
  history.back();
}
