import { type ExternalSource, deleteExternalSource, externalSourcesQuery } from "../../api/externalSources.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";

/** Ask before a source and its token are gone. */
export function DeleteDialog({ source: { id, name, host }, onClose }: { source: ExternalSource; onClose: () => void }) {
  return (
    <RemovalDialog
      listKey={externalSourcesQuery.queryKey}
      id={id}
      remove={deleteExternalSource}
      title={`Delete “${name}”`}
      detail={`Its token goes with it, and nothing is asked of ${host} any more. It can be deleted only while no widget asks it.`}
      confirm="Delete"
      message={`Deleted “${name}”`}
      onClose={onClose}
    />
  );
}
