import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { identityQuery } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { changeWorkspace } from "../../api/workspace.ts";
import { mayAct } from "../../core/roles.ts";
import { zonesWith } from "../../scope/zones.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { Row, RowActions, Rows } from "./Rows.tsx";
import { Section } from "./Section.tsx";
import { useIdentity } from "./useIdentity.ts";

const ZONE_HINT = "Sets when days, weeks and months start, and the hours of heat maps.";

/** The workspace's name and time zone. */
export function WorkspaceSection() {
  const { role, workspace } = useIdentity();
  return (
    <Section id="workspace" title="Workspace">
      {mayAct(role, "admin") ? (
        <WorkspaceForm key={`${workspace.name} ${workspace.timezone}`} name={workspace.name} timezone={workspace.timezone} />
      ) : (
        <Rows>
          <Row label="Name">{workspace.name}</Row>
          <Row label="Time zone" hint={ZONE_HINT}>
            {workspace.timezone}
          </Row>
        </Rows>
      )}
    </Section>
  );
}

function WorkspaceForm({ name, timezone }: { name: string; timezone: string }) {
  const [newName, setNewName] = useState(name);
  const [newTimezone, setNewTimezone] = useState(timezone);
  const queryClient = useQueryClient();
  const changes = {
    ...(newName.trim() === name ? {} : { name: newName.trim() }),
    ...(newTimezone === timezone ? {} : { timezone: newTimezone }),
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => changeWorkspace(changes),
    onSuccess: async () => {
      // Days begin elsewhere in another zone, so every answer may be another one.
      await (newTimezone === timezone ? queryClient.invalidateQueries({ queryKey: identityQuery.queryKey }) : forgetAnswers(queryClient));
      toast({ text: "Workspace saved." });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  const discard = () => {
    setNewName(name);
    setNewTimezone(timezone);
    reset();
  };
  const { errorByField, otherError } = errorsAbout(error, { name: "Name" });
  return (
    <>
      <form onSubmit={submit}>
        <Rows>
          <Row label="Name">
            <TextField
              label="Workspace name"
              hideLabel
              value={newName}
              onChange={setNewName}
              maxLength={120}
              required
              error={errorByField.name}
            />
          </Row>
          <Row label="Time zone" hint={ZONE_HINT}>
            <SelectField
              label="Time zone"
              hideLabel
              value={newTimezone}
              onChange={setNewTimezone}
              options={zonesWith(timezone).map((value) => ({ value, label: value.replaceAll("_", " ") }))}
            />
          </Row>
          {Object.keys(changes).length > 0 ? (
            <RowActions>
              <FormError text={otherError} />
              <Button onClick={discard}>Discard</Button>
              <Button type="submit" variant="primary" busy={isPending}>Save</Button>
            </RowActions>
          ) : null}
        </Rows>
      </form>
      <ApiExample request={{ method: "PATCH", path: "/v1/workspace", body: { name: newName.trim(), timezone: newTimezone } }} />
    </>
  );
}
