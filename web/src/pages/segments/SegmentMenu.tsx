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
  const copy = () => void copyText(id).then((isCopied) => toast(isCopied ? { text: "Copied the id." } : { text: `The id is ${id}` }));
  const readItems = [
    { label: "Open its events", icon: Activity, onSelect: () => void navigate({ to: "/events", search: { env: environment, range: "7d", seg: id } }) },
    { label: "Copy its id", icon: Copy, onSelect: copy },
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
      {openDialog === "delete" ? <DeleteDialog segment={segment} onClose={close} /> : null}
    </>
  );
}

function DeleteDialog({ segment: { id, name }, onClose }: { segment: Segment; onClose: () => void }) {
  return (
    <RemovalDialog
      listKey={segmentsQuery.queryKey}
      id={id}
      remove={deleteSegment}
      title={`Delete “${name}”`}
      detail="Its filters are gone for good; no event is changed. It can be deleted only while no widget and no alert uses it."
      confirm="Delete"
      message={`Deleted “${name}”`}
      onClose={onClose}
    />
  );
}
