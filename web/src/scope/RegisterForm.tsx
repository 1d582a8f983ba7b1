import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { registerGroupKey } from "../api/groups.ts";
import { forgetAnswers } from "../api/placeholders.ts";
import { errorInLine } from "../api/words.ts";
import { Button } from "../ui/Button/Button.tsx";
import { CheckField } from "../ui/Field/CheckField.tsx";
import { FormError } from "../ui/Field/FormError.tsx";
import { SelectField } from "../ui/Field/SelectField.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import { toast } from "../ui/Toast/toast.ts";
import styles from "./RegisterForm.module.css";

export interface RegisterFormProps {
  /** Properties with texts that are not registered, the most used first. */
  candidates: readonly string[];
  /** The first key is the default, whatever the form says. */
  isFirst: boolean;
  onRegistered: (propKey: string) => void;
}

/** Register a property as a group key. */
export function RegisterForm({ candidates, isFirst, onRegistered }: RegisterFormProps) {
  const [propKey, setPropKey] = useState(candidates[0] ?? "");
  const [label, setLabel] = useState("");
  const [isDefault, setDefault] = useState(false);
  const queryClient = useQueryClient();
  const register = useMutation({
    mutationFn: () => registerGroupKey({ propKey, label, makeDefault: isDefault }),
    onSuccess: async (groupKey) => {
      await forgetAnswers(queryClient);
      toast({ text: `${groupKey.label} registered${groupKey.isDefault ? " as the default" : ""}.` });
      onRegistered(groupKey.propKey);
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!register.isPending && propKey !== "") register.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <SelectField
        label="Property key"
        value={propKey}
        onChange={setPropKey}
        options={candidates.map((value) => ({ value, label: value }))}
        hint="Text properties from the last 30 days, most used first."
      />
      <TextField
        label="Label"
        value={label}
        onChange={setLabel}
        placeholder={propKey}
        maxLength={80}
        hint="A display name, e.g. Server, Team or Account."
      />
      {isFirst ? null : (
        <CheckField
          label="Make default"
          hint="Widgets count groups by the default key."
          checked={isDefault}
          onChange={setDefault}
        />
      )}
      <FormError text={register.error ? errorInLine(register.error) : null} />
      <div className={styles.act}>
        <Button type="submit" variant="primary" busy={register.isPending} disabled={propKey === ""}>
          Register
        </Button>
      </div>
    </form>
  );
}
