import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from "react";
import { type Dashboard, dashboardQuery, reorderWidgets } from "../../../api/dashboards.ts";
import { type Widget, changeWidget } from "../../../api/widgets.ts";
import { makeTurns } from "../../../core/turns.ts";
import { offerRetry } from "../../../scope/sayFailure.ts";
import { announce } from "../../../ui/announce.ts";
import { toast } from "../../../ui/Toast/toast.ts";
import { outlineOf, titleOf } from "../../../widgets/registry.ts";
import { type CardSize, isSameSize, sizeAfterStep, sizeInWords } from "./cardSizes.ts";
import { moveId, nextWidth, orderedLike, reorder } from "./cardOrder.ts";

/** What cards and their tools need to arrange a dashboard. */
export interface Arrangement {
  widgets: Widget[];
  /** The card that the keyboard holds. */
  heldId: string | undefined;
  /** Put one card at the place of another. */
  drop: (id: string, targetId: string) => void;
  resize: (widget: Widget, size: CardSize) => void;
  /** Make a card so many columns and rows larger than the last change made it, whether that is drawn yet or not. */
  resizeBy: (widget: Widget, step: CardSize) => void;
  /** Take back the last change; null if there is none. */
  undo: (() => void) | null;
  /** The keys of a card's handle: `m` grabs, arrows move, Enter drops, Esc restores, `+` and `-` change the width. */
  onHandleKey: (widget: Widget, event: KeyboardEvent) => void;
}

const WIDTH_STEP_BY_KEY: Record<string, 1 | -1> = { "+": 1, "-": -1, "−": -1 };
const MOVE_STEP_BY_KEY: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Arrange the widgets of a dashboard: the order on screen changes at once, and one request saves it. */
export function useArrange(dashboard: Dashboard): Arrangement {
  const queryClient = useQueryClient();
  const savedIds = dashboard.widgets.map(({ id }) => id);
  const [order, dispatch] = useReducer(reorder, { ids: savedIds, grab: null });
  const savedIdsText = savedIds.join(" ");
  useEffect(() => dispatch({ type: "set", ids: savedIdsText.split(" ").filter(Boolean) }), [savedIdsText]);
  const dashboardKey = dashboardQuery(dashboard.id).queryKey;
  const { rememberUndo, undo, isEmpty } = useUndo();
  const [inTurn] = useState(makeTurns);

  const save = async (ids: string[]) => {
    const currentIds = queryClient.getQueryData(dashboardKey)?.widgets.map(({ id }) => id) ?? ids;
    const { widgets } = await reorderWidgets(dashboard.id, orderedLike(currentIds, ids));
    queryClient.setQueryData(dashboardKey, (current) => current && { ...current, widgets });
  };
  const saveOrder = (ids: string[], idsBefore: string[], widget: Widget | undefined) => {
    dispatch({ type: "set", ids });
    save(ids)
      .then(() => {
        if (!widget) return;
        rememberUndo(() => saveOrder(idsBefore, ids, undefined));
        toast({ text: `Moved “${titleOf(widget)}”`, action: { label: "Undo", onAct: undo } });
      })
      .catch((error: unknown) => {
        dispatch({ type: "set", ids: idsBefore });
        offerRetry("Not moved.", error, () => saveOrder(ids, idsBefore, widget));
      });
  };
  const findWidget = (id: string) => dashboard.widgets.find((widget) => widget.id === id);

  const saveLayout = (widget: Widget, newLayout: Widget["layout"], onSaved?: () => void) => {
    const showLayout = (layout: Widget["layout"]) =>
      queryClient.setQueryData(dashboardKey, (current) => {
        if (!current) return current;
        const widgets = current.widgets.map((entry) => (entry.id === widget.id ? { ...entry, layout } : entry));
        return { ...current, widgets };
      });
    showLayout(newLayout);
    inTurn(() => changeWidget(widget.id, { layout: newLayout }))
      .then(onSaved)
      .catch((error: unknown) => {
        showLayout(widget.layout);
        offerRetry("Not resized.", error, () => saveLayout(widget, newLayout, onSaved));
      });
  };
  const resize = (widget: Widget, newLayout: CardSize) => {
    announce(`${titleOf(widget)}, ${sizeInWords(newLayout)}`);
    if (isSameSize(newLayout, widget.layout)) return;
    saveLayout(widget, newLayout, () => rememberUndo(() => saveLayout({ ...widget, layout: newLayout }, widget.layout)));
  };
  const resizeBy = (widget: Widget, step: CardSize) => {
    const newestWidget = queryClient.getQueryData(dashboardKey)?.widgets.find(({ id }) => id === widget.id) ?? widget;
    resize(newestWidget, sizeAfterStep(newestWidget.layout, step, outlineOf(newestWidget)));
  };

  const onHandleKey = (widget: Widget, event: KeyboardEvent) => {
    const { grab } = order;
    const step = MOVE_STEP_BY_KEY[event.key];
    const widthStep = WIDTH_STEP_BY_KEY[event.key];
    if (!grab && event.key === "m") {
      dispatch({ type: "grab", id: widget.id });
      announce(`${titleOf(widget)} grabbed. Arrows move it, Enter drops it, Escape puts it back.`);
    } else if (grab && step !== undefined) {
      const movedIds = moveId(order.ids, grab.id, order.ids.indexOf(grab.id) + step);
      dispatch({ type: "move", step });
      announce(`${titleOf(widget)}, position ${movedIds.indexOf(grab.id) + 1} of ${movedIds.length}`);
    } else if (widthStep !== undefined) {
      resize(widget, { ...widget.layout, w: nextWidth(widget.layout.w, widthStep) });
    } else if (grab && event.key === "Enter") {
      saveOrder(order.ids, grab.idsBefore, widget);
      announce(`${titleOf(widget)} dropped at position ${order.ids.indexOf(widget.id) + 1}`);
    } else if (grab && event.key === "Escape") {
      dispatch({ type: "cancel" });
      announce(`${titleOf(widget)} is back in place`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    widgets: order.ids.map(findWidget).filter((widget) => widget !== undefined),
    heldId: order.grab?.id,
    drop: (id, targetId) => {
      if (id !== targetId) saveOrder(moveId(order.ids, id, order.ids.indexOf(targetId)), order.ids, findWidget(id));
    },
    resize,
    resizeBy,
    undo: isEmpty ? null : undo,
    onHandleKey,
  };
}

/** Return a memory of how to take changes back, the last one first. */
function useUndo() {
  const undoSteps = useRef<(() => void)[]>([]);
  const [count, setCount] = useState(0);
  const rememberUndo = (undoStep: () => void) => setCount(undoSteps.current.push(undoStep));
  const undo = () => {
    const undoStep = undoSteps.current.pop();
    setCount(undoSteps.current.length);
    undoStep?.();
  };
  return { rememberUndo, undo, isEmpty: count === 0 };
}
