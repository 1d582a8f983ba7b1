import { getRouteApi } from "@tanstack/react-router";
import type { Dashboard } from "../../api/dashboards.ts";
import type { Spot, Widget } from "../../api/widgets.ts";
import { spotFromText, spotSearchOf } from "../../scope/spotAddress.ts";

const route = getRouteApi("/member/d/$id");

export interface OpenedSpot {
  /** The number whose actors are shown; null for none. */
  opened: { widget: Widget; spot: Spot } | null;
  open: (widgetId: string, spot: Spot) => void;
  /** Go from an open number to another one; it is no step of its own in the history. */
  replace: (widgetId: string, spot: Spot) => void;
  close: () => void;
}

/** The number of a dashboard whose actors are shown. The address has it, so that Back and a reload lead there again. */
export function useOpenedSpot(dashboard: Dashboard): OpenedSpot {
  const { who, at } = route.useSearch();
  const navigate = route.useNavigate();
  const widget = dashboard.widgets.find(({ id }) => id === who);
  const spot = spotFromText(at);
  const show = (widgetId: string, shownSpot: Spot, isReplacing: boolean) =>
    void navigate({
      search: ({ who: _who, at: _at, ...rest }) => ({ ...rest, ...spotSearchOf(widgetId, shownSpot) }),
      replace: isReplacing,
    });
  return {
    opened: widget && spot ? { widget, spot } : null,
    open: (widgetId, shownSpot) => show(widgetId, shownSpot, false),
    replace: (widgetId, shownSpot) => show(widgetId, shownSpot, true),
    close: () => void navigate({ search: ({ who: _who, at: _at, ...rest }) => rest }),
  };
}
