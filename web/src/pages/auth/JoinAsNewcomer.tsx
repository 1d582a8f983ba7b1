import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { errorAbout, errorsAbout } from "../../api/fieldErrors.ts";
import { acceptInvite } from "../../api/invites.ts";
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
    onSuccess: (identity) => enter(identity, "/"),
  });
  const { errorByField, otherError } = errorsAbout(error, { name: "Your name", password: "Password" });
  return (
    <AuthFrame title="You are invited" lead={`to a workspace on ${location.host}`}>
      <Form
        submitLabel="Join the workspace"
        busy={isPending}
        error={otherError && (errorAbout(error, "token", "This invitation") ?? otherError)}
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
          error={errorByField.name}
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
          error={errorByField.password}
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
