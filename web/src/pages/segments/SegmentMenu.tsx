import { useNavigate } from "@tanstack/react-router";
import { Activity, Copy, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { type Segment, deleteSegment, segmentsQuery } from "../../api/segments.ts";
import { copyText } from "../../core/clipboard.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { lazily } from "../../ui/lazily.ts";

const EditDialog = lazily(() => import("./EditDialog.tsx"), "EditDialog");

/** What can be done with a segment. */
export function SegmentMenu({ segment, mayWrite }: { segment: Segment; mayWrite: boolean }) {
  const [openDialog, setOpenDialog] = useState<"edit" | "delete" | null>(null);
  const navigate = useNavigate();
  const { id, name, environment } = segment;
  const close = () => setOpenDialog(null);
  const copy = () => void copyText(id).then((isCopied) => toast(isCopied ? { text: "ID copied" } : { text: `The ID is ${id}` }));
  const readItems = [
    { label: "Show events", icon: Activity, onSelect: () => void navigate({ to: "/events", search: { env: environment, range: "30d", seg: id } }) },
    { label: "Copy ID", icon: Copy, onSelect: copy },
  ];
  const editItems = [
    { label: "Edit", icon: Pencil, onSelect: () => setOpenDialog("edit") },
    "separator" as const,
    { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpenDialog("delete") },
  ];
  return (
    <>
      <Menu label={`${name} menu`} items={mayWrite ? [...readItems, ...editItems] : readItems} />
      <Suspense>{openDialog === "edit" ? <EditDialog environment={environment} segment={segment} onClose={close} /> : null}</Suspense>
      {openDialog === "delete" ? (
        <RemovalDialog
          listKey={segmentsQuery.queryKey}
          id={id}
          remove={deleteSegment}
          title={`Delete “${name}”`}
          detail="Events don't change. You can only delete a segment that no widget or alert uses."
          confirm="Delete"
          message={`Deleted “${name}”`}
          onClose={close}
        />
      ) : null}
    </>
  );
}
