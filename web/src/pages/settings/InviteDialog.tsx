import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { type NewInvite, createInvite, invitesQuery } from "../../api/invites.ts";
import type { Role } from "../../core/roles.ts";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { LocalNote } from "../../ui/Code/LocalNote.tsx";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { SecretDialog } from "../../ui/Dialog/SecretDialog.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { grantableRoles } from "./people.ts";
import { useIdentity } from "./useIdentity.ts";

const ROLE_MEANINGS: Record<Role, string> = {
  viewer: "Can see everything, but can't change anything.",
  developer: "Also manages keys, dashboards and alerts.",
  admin: "Also manages members, environments and the workspace.",
  owner: "Also manages owners.",
};

/** Invite somebody: their address and role, then the link, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: ownRole } = useIdentity();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const queryClient = useQueryClient();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => createInvite({ email: email.trim(), role }),
    // The link is gone from memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  });
  if (data) return <LinkDialog invite={data} onClose={onClose} />;
  const { errorByField, otherError } = errorsAbout(error, { email: "Email" });
  return (
    <FormDialog
      title="Invite someone"
      description="The invitation is for this address only and expires in seven days. A new invitation replaces it."
      submit="Invite"
      busy={isPending}
      error={otherError}
      footnote={<ApiExample request={{ method: "POST", path: "/v1/invites", body: { email: email.trim() || "ann@example.com", role } }} />}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <TextField label="Email" type="email" autoComplete="off" required value={email} onChange={setEmail} error={errorByField.email} />
      <SelectField
        label="Role"
        value={role}
        onChange={(choice) => setRole(choice as Role)}
        options={grantableRoles(ownRole).map((value) => ({ value, label: value }))}
        hint={ROLE_MEANINGS[role]}
      />
    </FormDialog>
  );
}

function LinkDialog({ invite: { email, role, token }, onClose }: { invite: NewInvite; onClose: () => void }) {
  const url = `${window.location.origin}/invite?token=${token}`;
  return (
    <SecretDialog
      secret={url}
      footnote={<LocalNote url={url} />}
      description={
        <>
          {email} is invited as {role}. If this server sends email, the link is on its way. Otherwise, send it yourself. You
          won't see it again.
        </>
      }
      note="It works once, for this address only."
      onClose={onClose}
    />
  );
}
