import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signUp } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Form } from "./Form.tsx";
import { PASSWORD_HINT } from "./passwords.ts";
import { useEntrance } from "./useEntrance.ts";

const FIELDS = { name: "Your name", workspaceName: "Workspace", email: "Email", password: "Password" } as const;
type Field = keyof typeof FIELDS;

/** A new account with a workspace of its own; then the first event. */
export function SignUpForm() {
  const [fields, setFields] = useState<Record<Field, string>>({ name: "", workspaceName: "", email: "", password: "" });
  const enter = useEntrance();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (account: typeof fields) => signUp(account, Intl.DateTimeFormat().resolvedOptions().timeZone),
    onSuccess: (identity) => enter(identity, "/start"),
  });
  const { about, rest } = errorsAbout(error, FIELDS);
  const field = (name: Field) => ({
    label: FIELDS[name],
    name,
    required: true,
    large: true,
    value: fields[name],
    onChange: (text: string) => setFields((now) => ({ ...now, [name]: text })),
    error: about[name],
  });
  return (
    <Form submit="Create workspace" busy={isPending} error={rest} onSubmit={() => mutate(fields)}>
      <TextField {...field("name")} autoComplete="name" />
      <TextField
        {...field("workspaceName")}
        autoComplete="organization"
        hint="Usually your product or team. You can rename it."
      />
      <TextField {...field("email")} type="email" autoComplete="username" />
      <PasswordField {...field("password")} autoComplete="new-password" hint={PASSWORD_HINT} />
    </Form>
  );
}
