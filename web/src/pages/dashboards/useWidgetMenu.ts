import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bell, Copy, ImageIcon, Link2, Pencil, Terminal, Trash2 } from "lucide-react";
import { identityQuery } from "../../api/auth.ts";
import { type Dashboard, dashboardQuery } from "../../api/dashboards.ts";
import { type DataFields, type Widget, copyWidget } from "../../api/widgets.ts";
import { copyText } from "../../core/clipboard.ts";
import { curlOf } from "../../core/curl.ts";
import { withWorkspace } from "../../scope/search.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import type { MenuItem } from "../../ui/Menu/Menu.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { alertSearchOf } from "./alertPlace.ts";
import { pictureCode } from "./sharing.ts";
import { useDeleteWidget } from "./useDeleteWidget.ts";

/** Return what the menu of a card offers; who may only look gets what can be copied. */
export function useWidgetMenu(dashboard: Dashboard, mayWrite: boolean, dataFields: DataFields): (widget: Widget) => MenuItem[] {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: dashboardQuery(dashboard.id).queryKey });
  const duplicate = (widget: Widget) => {
    copyWidget(dashboard.id, widget)
      .then(refresh)
      .catch(sayFailure);
  };
  const copy = async (text: string, message: string) => {
    toast({ text: (await copyText(text)) ? message : "Copy failed" });
  };
  const remove = useDeleteWidget(dashboard);
  return (widget) => {
    const href = `${window.location.href.replace(/#.*/, "")}#${widget.id}`;
    const identity = queryClient.getQueryData(identityQuery.queryKey);
    const shareAddress = identity ? withWorkspace(href, identity.workspace.id) : href;
    const curlText = curlOf({ method: "POST", path: `/v1/widgets/${widget.id}/data`, body: dataFields });
    const copyItems: MenuItem[] = [
      { label: "Copy link", icon: Link2, onSelect: () => void copy(shareAddress, "Link copied") },
      { label: "Copy as curl", icon: Terminal, onSelect: () => void copy(curlText, "Copied as curl") },
    ];
    const pictureMarkdown = dashboard.isPublic && dashboard.slug ? pictureCode(window.location.origin, dashboard.slug, widget) : null;
    if (pictureMarkdown) {
      copyItems.push({ label: "Copy picture", icon: ImageIcon, onSelect: () => void copy(pictureMarkdown, "Picture copied as Markdown") });
    }
    if (!mayWrite) return copyItems;
    const openEditor = () =>
      void navigate({ to: "/d/$id/w/$widgetId", params: { id: dashboard.id, widgetId: widget.id }, search: true });
    const alertSearch = alertSearchOf(dashboard, widget);
    return [
      { label: "Edit widget", icon: Pencil, onSelect: openEditor },
      { label: "Duplicate", icon: Copy, onSelect: () => duplicate(widget) },
      ...copyItems,
      ...(alertSearch ? [{ label: "Create alert", icon: Bell, onSelect: () => void navigate({ to: "/alerts/new", search: alertSearch }) }] : []),
      { label: "Delete", icon: Trash2, danger: true, onSelect: () => remove(widget) },
    ];
  };
}
