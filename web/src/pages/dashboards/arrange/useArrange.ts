import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from "react";
import { type Dashboard, dashboardQuery, reorderWidgets } from "../../../api/dashboards.ts";
import { type Widget, changeWidget } from "../../../api/widgets.ts";
import { sayFailure } from "../../../scope/sayFailure.ts";
import { announce } from "../../../ui/announce.ts";
import { toast } from "../../../ui/Toast/toast.ts";
import { moveId, reorder, nextWidth } from "./cardOrder.ts";

/** What cards and their tools need to arrange a dashboard. */
export interface Arrange {
  widgets: Widget[];
  /** The card that the keyboard holds. */
  heldId: string | undefined;
  /** Put one card at the place of another. */
  drop: (id: string, onto: string) => void;
  resize: (widget: Widget, layout: Partial<Widget["layout"]>) => void;
  /** Take back the last change; null if there is none. */
  undo: (() => void) | null;
  /** The keys of a card's handle: `m` grabs, arrows move, Enter drops, Esc restores, `+` and `-` change the width. */
  onHandleKey: (widget: Widget, event: KeyboardEvent) => void;
}

const SIZES: Record<string, 1 | -1> = { "+": 1, "-": -1, "−": -1 };
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Arrange the widgets of a dashboard: the order on screen changes at once, and one request saves it. */
export function useArrange(dashboard: Dashboard): Arrange {
  const queryClient = useQueryClient();
  const savedIds = dashboard.widgets.map(({ id }) => id);
  const [order, act] = useReducer(reorder, { ids: savedIds, grab: null });
  const savedText = savedIds.join(" ");
  useEffect(() => act({ type: "set", ids: savedText.split(" ").filter(Boolean) }), [savedText]);
  const key = dashboardQuery(dashboard.id).queryKey;
  const title = (widget: Widget) => widget.title || widget.type;
  const { remember, undo, isEmpty } = useUndo();

  const save = async (ids: string[]) => {
    const { widgets } = await reorderWidgets(dashboard.id, ids);
    queryClient.setQueryData(key, (current) => current && { ...current, widgets });
  };
  const saveOrder = (ids: string[], before: string[], widget: Widget | undefined) => {
    act({ type: "set", ids });
    save(ids)
      .then(() => {
        if (!widget) return;
        remember(() => saveOrder(before, ids, undefined));
        toast({ text: `Moved “${title(widget)}”`, action: { label: "Undo", onAct: undo } });
      })
      .catch((error: unknown) => {
        act({ type: "set", ids: before });
        sayFailure(error);
      });
  };
  const find = (id: string) => dashboard.widgets.find((widget) => widget.id === id);

  const saveLayout = (widget: Widget, next: Widget["layout"], onSaved?: () => void) => {
    const put = (layout: Widget["layout"]) =>
      queryClient.setQueryData(key, (current) => {
        if (!current) return current;
        const widgets = current.widgets.map((entry) => (entry.id === widget.id ? { ...entry, layout } : entry));
        return { ...current, widgets };
      });
    put(next);
    changeWidget(widget.id, { layout: next })
      .then(onSaved)
      .catch((error: unknown) => {
        put(widget.layout);
        sayFailure(error);
      });
  };
  const resize = (widget: Widget, layout: Partial<Widget["layout"]>) => {
    const next = { ...widget.layout, ...layout };
    saveLayout(widget, next, () => remember(() => saveLayout({ ...widget, layout: next }, widget.layout)));
  };

  const onHandleKey = (widget: Widget, event: KeyboardEvent) => {
    const { grab } = order;
    const step = STEPS[event.key];
    const size = SIZES[event.key];
    if (!grab && event.key === "m") {
      act({ type: "grab", id: widget.id });
      announce(`${title(widget)} grabbed. Arrows move it, Enter drops it, Escape puts it back.`);
    } else if (grab && step !== undefined) {
      const next = moveId(order.ids, grab.id, order.ids.indexOf(grab.id) + step);
      act({ type: "move", by: step });
      announce(`${title(widget)}, place ${next.indexOf(grab.id) + 1} of ${next.length}`);
    } else if (size !== undefined) {
      const w = nextWidth(widget.layout.w, size);
      if (w !== widget.layout.w) resize(widget, { w });
      announce(`${title(widget)}, ${w} of 12 columns`);
    } else if (grab && event.key === "Enter") {
      saveOrder(order.ids, grab.before, widget);
      announce(`${title(widget)} dropped at place ${order.ids.indexOf(widget.id) + 1}`);
    } else if (grab && event.key === "Escape") {
      act({ type: "cancel" });
      announce(`${title(widget)} is back at its place`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    widgets: order.ids.map(find).filter((widget) => widget !== undefined),
    heldId: order.grab?.id,
    drop: (id, onto) => {
      if (id !== onto) saveOrder(moveId(order.ids, id, order.ids.indexOf(onto)), order.ids, find(id));
    },
    resize,
    undo: isEmpty ? null : undo,
    onHandleKey,
  };
}

/** Return a memory of how to take changes back, the last one first. */
function useUndo() {
  const steps = useRef<(() => void)[]>([]);
  const [count, setCount] = useState(0);
  const remember = (step: () => void) => setCount(steps.current.push(step));
  const undo = () => {
    const step = steps.current.pop();
    setCount(steps.current.length);
    step?.();
  };
  return { remember, undo, isEmpty: count === 0 };
}
