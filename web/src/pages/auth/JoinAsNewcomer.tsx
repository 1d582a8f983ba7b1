import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { acceptInvite } from "../../api/invites.ts";
import { errorAbout, errorInLine } from "../../api/words.ts";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { AuthFrame } from "./AuthFrame.tsx";
import { Form } from "./Form.tsx";
import styles from "./Form.module.css";
import { PASSWORD_HINT } from "./passwords.ts";
import { useEntrance } from "./useEntrance.ts";

/** Make an account for the invited address, and join with it. */
export function JoinAsNewcomer({ token }: { token: string }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const enter = useEntrance();
  const { mutate, isPending, error } = useMutation({
    mutationFn: acceptInvite,
    onSuccess: (identity) => enter(identity, "/dashboards"),
  });
  const aboutName = errorAbout(error, "name", "Your name");
  const aboutPassword = errorAbout(error, "password", "Password");
  const other = errorAbout(error, "token", "This invitation") ?? (error ? errorInLine(error) : null);
  return (
    <AuthFrame title="You are invited" lead={`to a workspace on ${location.host}`}>
      <Form
        submit="Join the workspace"
        busy={isPending}
        error={aboutName || aboutPassword ? null : other}
        onSubmit={() => mutate({ token, name, password })}
      >
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          required
          large
          value={name}
          onChange={setName}
          error={aboutName}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          required
          large
          value={password}
          onChange={setPassword}
          hint={PASSWORD_HINT}
          error={aboutPassword}
        />
      </Form>
      <p className={styles.foot}>
        You have an account here?{" "}
        <Link to="/" className={styles.inline} search={{ next: `/invite?token=${encodeURIComponent(token)}` }}>
          Sign in first
        </Link>
        , then accept.
      </p>
    </AuthFrame>
  );
}
