import { useNavigate } from "@tanstack/react-router";
import { LayoutDashboard, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { type Digest, deleteDigest, digestsQuery } from "../../api/digests.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { lazily } from "../../ui/lazily.ts";

const EditDialog = lazily(() => import("./EditDialog.tsx"), "EditDialog");

/** What can be done with a digest, besides sending it. */
export function DigestMenu({ digest, name, mayWrite }: { digest: Digest; name: string; mayWrite: boolean }) {
  const [openDialog, setOpenDialog] = useState<"edit" | "delete" | null>(null);
  const navigate = useNavigate();
  const close = () => setOpenDialog(null);
  const openItem = {
    label: "Open dashboard",
    icon: LayoutDashboard,
    onSelect: () => void navigate({ to: "/d/$id", params: { id: digest.dashboardId } }),
  };
  const editItems = [
    { label: "Edit", icon: Pencil, onSelect: () => setOpenDialog("edit") },
    "separator" as const,
    { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpenDialog("delete") },
  ];
  return (
    <>
      <Menu label="Digest menu" items={mayWrite ? [openItem, ...editItems] : [openItem]} />
      <Suspense>{openDialog === "edit" ? <EditDialog digest={digest} onClose={close} /> : null}</Suspense>
      {openDialog === "delete" ? (
        <RemovalDialog
          listKey={digestsQuery.queryKey}
          id={digest.id}
          remove={deleteDigest}
          title={`Delete “${name}”`}
          detail="The digest stops, and its recipients and history are deleted. The dashboard is kept."
          confirm="Delete"
          message={`Deleted “${name}”`}
          onClose={close}
        />
      ) : null}
    </>
  );
}
