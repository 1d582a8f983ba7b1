import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Copy, Globe, Mail, Settings2, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { type Dashboard, createDashboard, dashboardsQuery, deleteDashboard } from "../../api/dashboards.ts";
import { copyWidget } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { lazily } from "../../ui/lazily.ts";

const ConfirmDialog = lazily(() => import("../../ui/Dialog/ConfirmDialog.tsx"), "ConfirmDialog");
const SettingsDialog = lazily(() => import("./SettingsDialog.tsx"), "SettingsDialog");
const ShareDialog = lazily(() => import("./ShareDialog.tsx"), "ShareDialog");

/** What can be done with a dashboard as a whole. */
export function DashboardMenu({ dashboard }: { dashboard: Dashboard }) {
  const [openDialog, setOpenDialog] = useState<"share" | "settings" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  const duplicate = useDuplicate(dashboard);
  const navigate = useNavigate();
  return (
    <>
      <Menu
        label="Dashboard menu"
        items={[
          { label: "Share", icon: Globe, onSelect: () => setOpenDialog("share") },
          { label: "Settings", icon: Settings2, onSelect: () => setOpenDialog("settings") },
          { label: "Digest", icon: Mail, onSelect: () => void navigate({ to: "/digests", search: { dashboard: dashboard.id, new: "1" } }) },
          { label: "Duplicate", icon: Copy, onSelect: () => duplicate.mutate() },
          "separator",
          { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpenDialog("delete") },
        ]}
      />
      <Suspense>
        {openDialog === "share" ? <ShareDialog dashboard={dashboard} onClose={close} /> : null}
        {openDialog === "settings" ? <SettingsDialog dashboard={dashboard} onClose={close} /> : null}
        {openDialog === "delete" ? <DeleteDialog dashboard={dashboard} onClose={close} /> : null}
      </Suspense>
    </>
  );
}

function useDuplicate(dashboard: Dashboard) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const { name, description, icon, environment, timeRange, filters } = dashboard;
      const copy = await createDashboard({ name: `${name} (copy)`, description, icon, environment, timeRange, filters });
      for (const widget of dashboard.widgets) await copyWidget(copy.id, widget);
      return copy;
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
      await navigate({ to: "/d/$id", params: { id } });
    },
    onError: sayFailure,
  });
}

function DeleteDialog({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteDashboard(dashboard.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
      await navigate({ to: "/dashboards", replace: true });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete “${dashboard.name}”`}
      detail="Its widgets and digests are deleted, too. Events are kept."
      confirm="Delete"
      busy={remove.isPending}
      error={remove.error ? errorInWords(remove.error).detail : null}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
