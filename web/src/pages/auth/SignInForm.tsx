import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { signIn } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { appPath } from "../../scope/search.ts";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { EmailField, Form } from "./Form.tsx";
import styles from "./Form.module.css";
import { useEntrance } from "./useEntrance.ts";

/** Email and password; then the page that was asked for. */
export function SignInForm({ nextPath }: { nextPath: string | undefined }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const enter = useEntrance();
  const { mutate, isPending, error } = useMutation({
    mutationFn: signIn,
    onSuccess: (identity) => enter(identity, appPath(nextPath) ?? "/"),
  });
  const { errorByField, otherError } = errorsAbout(error, { email: "Email" });
  return (
    <Form submitLabel="Sign in" busy={isPending} error={otherError} onSubmit={() => mutate({ email, password })}>
      <EmailField value={email} onChange={setEmail} error={errorByField.email} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        large
        value={password}
        onChange={setPassword}
        aside={
          <Link to="/forgot" className={styles.link}>
            Forgot password?
          </Link>
        }
      />
    </Form>
  );
}
