import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { errorAbout, errorsAbout } from "../../api/fieldErrors.ts";
import { acceptInvite } from "../../api/invites.ts";
import { TextField } from "../../ui/Field/TextField.tsx";
import { AuthFrame } from "./AuthFrame.tsx";
import { Form, NewPasswordField } from "./Form.tsx";
import styles from "./Form.module.css";
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
    <AuthFrame title="You're invited" lead={`to a workspace on ${location.host}`}>
      <Form
        submitLabel="Join workspace"
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
        <NewPasswordField label="Password" value={password} onChange={setPassword} error={errorByField.password} />
      </Form>
      <p className={styles.foot}>
        Already have an account?{" "}
        <Link to="/" className={styles.inline} search={{ next: `/invite?token=${encodeURIComponent(token)}` }}>
          Sign in first
        </Link>
        , then accept.
      </p>
    </AuthFrame>
  );
}
