import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signUp } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Form, NewPasswordField } from "./Form.tsx";
import { useEntrance } from "./useEntrance.ts";

const FIELD_LABELS = { name: "Your name", workspaceName: "Workspace", email: "Email", password: "Password" } as const;
type FieldName = keyof typeof FIELD_LABELS;

/** A new account with a workspace of its own; then the first event. */
export function SignUpForm() {
  const [textByField, setTextByField] = useState<Record<FieldName, string>>({ name: "", workspaceName: "", email: "", password: "" });
  const enter = useEntrance();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (account: typeof textByField) => signUp(account, Intl.DateTimeFormat().resolvedOptions().timeZone),
    onSuccess: (identity) => enter(identity, "/start"),
  });
  const { errorByField, otherError } = errorsAbout(error, FIELD_LABELS);
  const fieldProps = (name: FieldName) => ({
    label: FIELD_LABELS[name],
    name,
    required: true,
    large: true,
    value: textByField[name],
    onChange: (text: string) => setTextByField((previous) => ({ ...previous, [name]: text })),
    error: errorByField[name],
  });
  return (
    <Form submitLabel="Create workspace" busy={isPending} error={otherError} onSubmit={() => mutate(textByField)}>
      <TextField {...fieldProps("name")} autoComplete="name" />
      <TextField
        {...fieldProps("workspaceName")}
        autoComplete="organization"
        hint="Usually your product or team. You can rename it later."
      />
      <TextField {...fieldProps("email")} type="email" autoComplete="username" />
      <NewPasswordField {...fieldProps("password")} />
    </Form>
  );
}
