import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Copy, Link2, Pencil, Trash2 } from "lucide-react";
import { type Dashboard, dashboardQuery, reorderWidgets } from "../../api/dashboards.ts";
import { type Widget, copyWidget, deleteWidget } from "../../api/widgets.ts";
import { copyText } from "../../core/clipboard.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import type { MenuItem } from "../../ui/Menu/Menu.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** Return what the menu of a card offers; who may only look gets the link alone. */
export function useWidgetMenu(dashboard: Dashboard, mayWrite: boolean): (widget: Widget) => MenuItem[] {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: dashboardQuery(dashboard.id).queryKey });
  const attempt = (work: () => Promise<unknown>) => {
    work()
      .then(refresh)
      .catch(sayFailure);
  };
  const copy = async ({ id }: Widget) => {
    const copied = await copyText(`${window.location.href.replace(/#.*/, "")}#${id}`);
    toast({ text: copied ? "Link copied" : "This browser does not let pages copy." });
  };
  const restore = async (widget: Widget) => {
    const added = await copyWidget(dashboard.id, widget);
    const ids = dashboard.widgets.map(({ id }) => (id === widget.id ? added.id : id));
    await reorderWidgets(dashboard.id, ids);
  };
  const remove = (widget: Widget) =>
    attempt(async () => {
      await deleteWidget(widget.id);
      const action = { label: "Undo", onAct: () => attempt(() => restore(widget)) };
      toast({ text: `Deleted “${widget.title || widget.type}”`, action });
    });
  return (widget) => {
    const link: MenuItem = { label: "Copy link", icon: Link2, onSelect: () => void copy(widget) };
    if (!mayWrite) return [link];
    const edit = () =>
      void navigate({ to: "/d/$id/w/$widgetId", params: { id: dashboard.id, widgetId: widget.id }, search: true });
    return [
      { label: "Edit widget", icon: Pencil, onSelect: edit },
      { label: "Duplicate", icon: Copy, onSelect: () => attempt(() => copyWidget(dashboard.id, widget)) },
      link,
      { label: "Delete", icon: Trash2, danger: true, onSelect: () => remove(widget) },
    ];
  };
}
