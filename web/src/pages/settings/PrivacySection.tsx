import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { actorQuery, eraseActor } from "../../api/actors.ts";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { ApiError } from "../../api/errors.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { errorInLine } from "../../api/words.ts";
import { countInWords } from "../../core/numbers.ts";
import { useScope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { Row, RowActions, Rows } from "./Rows.tsx";
import { Section } from "./Section.tsx";

/** Erase somebody who asks for it: find them by their key, see what there is, and delete it for good. */
export function PrivacySection() {
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [environment, setEnvironment] = useState(useScope().environment);
  const [typedKey, setTypedKey] = useState("");
  const queryClient = useQueryClient();
  const actorLookup = useMutation({ mutationFn: () => queryClient.query({ ...actorQuery(environment, { timeRange: "all" }, typedKey), staleTime: 0 }) });
  const erase = useMutation({
    mutationFn: (actorKey: string) => eraseActor(environment, actorKey),
    onSuccess: async ({ erased }) => {
      await forgetAnswers(queryClient);
      toast({ text: `Erased ${countInWords(erased, "event")} in ${environment}.` });
      actorLookup.reset();
      setTypedKey("");
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!actorLookup.isPending && typedKey !== "") actorLookup.mutate();
  };
  const isUnknownActor = actorLookup.error instanceof ApiError && actorLookup.error.status === 404;
  const actor = actorLookup.data;
  const close = () => {
    actorLookup.reset();
    erase.reset();
  };
  return (
    <Section
      id="privacy"
      title="Privacy"
      lead="Permanently delete all events of an actor in one environment, and their label."
    >
      <form onSubmit={submit}>
        <Rows>
          <Row label="Environment">
            <SelectField label="Environment" hideLabel value={environment} onChange={setEnvironment} options={environmentChoices(environments, environment)} />
          </Row>
          <Row label="Actor key" hint="As your code sends it in _actor.">
            <TextField
              label="Actor key"
              hideLabel
              autoComplete="off"
              spellCheck={false}
              required
              value={typedKey}
              onChange={setTypedKey}
              error={isUnknownActor ? `This actor has no events in ${environment}.` : null}
            />
          </Row>
          <RowActions>
            <FormError text={actorLookup.error && !isUnknownActor ? errorInLine(actorLookup.error) : null} />
            <Button type="submit" variant="danger" busy={actorLookup.isPending}>Erase actor</Button>
          </RowActions>
        </Rows>
      </form>
      <ApiExample request={{ method: "DELETE", path: "/v1/actor", query: { environment, actorKey: typedKey || "ACTOR_KEY" } }} />
      {actor ? (
        <ConfirmDialog
          title={`Erase ${actor.label ?? actor.actorKey}`}
          detail={`This permanently deletes ${countInWords(actor.eventCount, "event")} in ${environment} and their label. Counts and charts will change. Later events start a new history.`}
          requiredWord={actor.actorKey.trim()}
          confirm="Erase"
          busy={erase.isPending}
          error={erase.error ? errorInLine(erase.error) : null}
          onConfirm={() => erase.mutate(actor.actorKey)}
          onClose={close}
        />
      ) : null}
    </Section>
  );
}
