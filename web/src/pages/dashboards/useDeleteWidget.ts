import { useQueryClient } from "@tanstack/react-query";
import { type Dashboard, dashboardQuery, reorderWidgets } from "../../api/dashboards.ts";
import { NOW } from "../../api/queries.ts";
import { type Widget, deleteWidget, restoreWidget } from "../../api/widgets.ts";
import { makeTurns } from "../../core/turns.ts";
import { offerRetry, sayFailure } from "../../scope/sayFailure.ts";
import { toast } from "../../ui/Toast/toast.ts";
import { type DeletedCard, afterReturn, withCardBack, withDeleted } from "./deletedCards.ts";

/** What this page has deleted, by dashboard: it can come back on another view than the one it was deleted on. */
const cardsByDashboard = new Map<string, DeletedCard[]>();
/** A card comes back once the one before it is in its place. */
const inTurn = makeTurns();

/** Return what deletes a card at once; the message about it can bring it back to its place (rules/boards#deleted-widgets). */
export function useDeleteWidget(dashboard: Dashboard): (widget: Widget) => void {
  const queryClient = useQueryClient();
  const query = dashboardQuery(dashboard.id);
  const deletedCards = () => cardsByDashboard.get(dashboard.id) ?? [];
  const refresh = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const showWidgets = (next: (widgets: Widget[]) => Widget[]) =>
    queryClient.setQueryData(query.queryKey, (current) => current && { ...current, widgets: next(current.widgets) });
  const putInPlace = async (id: string, newId: string) => {
    const cards = deletedCards();
    const card = cards.find((candidate) => candidate.id === id);
    cardsByDashboard.set(dashboard.id, afterReturn(cards, id, newId));
    if (!card) return;
    const current = queryClient.getQueryData(query.queryKey) ?? (await queryClient.query({ ...query, ...NOW }));
    const otherIds = current.widgets.map((widget) => widget.id).filter((widgetId) => widgetId !== newId);
    const ids = withCardBack(otherIds, card).map((cardId) => (cardId === id ? newId : cardId));
    const { widgets } = await reorderWidgets(dashboard.id, ids);
    showWidgets(() => widgets);
  };
  const restore = (widget: Widget) => {
    inTurn(async () => {
      const { id } = await restoreWidget(widget);
      await putInPlace(widget.id, id).catch(sayFailure);
    })
      .catch((error: unknown) => offerRetry("Not restored.", error, () => restore(widget)))
      .finally(() => void refresh());
  };
  return (widget) => {
    const order = withDeleted(dashboard.widgets.map(({ id }) => id), deletedCards());
    deleteWidget(widget.id)
      .then(() => {
        cardsByDashboard.set(dashboard.id, [...deletedCards(), { id: widget.id, order }]);
        showWidgets((widgets) => widgets.filter(({ id }) => id !== widget.id));
        toast({ text: `Deleted “${widget.title || widget.type}”`, action: { label: "Undo", onAct: () => restore(widget) } });
        return refresh();
      })
      .catch(sayFailure);
  };
}
