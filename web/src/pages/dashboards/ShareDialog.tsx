import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Dashboard, changeDashboard, dashboardQuery, dashboardsQuery, replaceSlug } from "../../api/dashboards.ts";
import { errorInWords } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyButton } from "../../ui/Code/CopyButton.tsx";
import { LocalNote } from "../../ui/Code/LocalNote.tsx";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Publishing } from "./Publishing.tsx";
import styles from "./ShareDialog.module.css";
import { embedCode } from "./sharing.ts";

/** Publish a dashboard under an address that nobody can guess, or take it back. */
export function ShareDialog({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [isReplacing, setIsReplacing] = useState(false);
  const showSaved = async (savedDashboard: Dashboard) => {
    queryClient.setQueryData(dashboardQuery(dashboard.id).queryKey, savedDashboard);
    await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
  };
  const publish = useMutation({
    mutationFn: (isPublic: boolean) => changeDashboard(dashboard.id, { isPublic }),
    onSuccess: showSaved,
  });
  const replace = useMutation({
    mutationFn: () => replaceSlug(dashboard.id),
    onSuccess: async (savedDashboard) => {
      await showSaved(savedDashboard);
      setIsReplacing(false);
    },
  });
  if (isReplacing) {
    return (
      <ConfirmDialog
        title="Replace link"
        detail="The current link stops working immediately. Anyone who uses it needs the new one."
        confirm="Replace"
        busy={replace.isPending}
        error={replace.error ? errorInWords(replace.error).detail : null}
        onConfirm={() => replace.mutate()}
        onClose={() => setIsReplacing(false)}
      />
    );
  }
  return (
    <Dialog title="Share" description="Anyone with the link can see what's listed here, without an account." onClose={onClose}>
      <SwitchField label="Published" checked={dashboard.isPublic} onChange={(isPublic) => publish.mutate(isPublic)} />
      {publish.error ? <p className={styles.error}>{errorInWords(publish.error).detail}</p> : null}
      <Publishing dashboard={dashboard} />
      {dashboard.isPublic && dashboard.slug ? (
        <PublicAddress
          address={`${window.location.origin}/p/${dashboard.slug}`}
          name={dashboard.name}
          onReplace={() => setIsReplacing(true)}
        />
      ) : null}
    </Dialog>
  );
}

/** Where it is published, and the ways to show it elsewhere. */
function PublicAddress({ address, name, onReplace }: { address: string; name: string; onReplace: () => void }) {
  const code = embedCode(address, name);
  return (
    <div className={styles.address}>
      <div className={styles.row}>
        <TextField label="Link" value={address} onChange={() => undefined} readOnly />
        <CopyButton text={address} label="Copy" />
      </div>
      <div className={styles.row}>
        <TextField label="Embed code" value={code} onChange={() => undefined} readOnly />
        <CopyButton text={code} label="Copy code" />
      </div>
      <LocalNote url={address} />
      <p className={styles.hint}>
        For a README or a chat, choose “Copy picture” in a widget's menu. It stays up to date.
      </p>
      <div className={styles.tools}>
        <a href={address} target="_blank" rel="noopener">
          Open public page
        </a>
        <Button small variant="quiet" onClick={onReplace}>Replace link</Button>
      </div>
    </div>
  );
}
