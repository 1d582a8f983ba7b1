import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { askForReset } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { announce } from "../../ui/announce.ts";
import { TextField } from "../../ui/Field/TextField.tsx";
import { AuthFrame } from "./AuthFrame.tsx";
import { Form } from "./Form.tsx";
import styles from "./Form.module.css";

/** Ask for a link by which a new password can be set. */
export function ForgotPage() {
  const [email, setEmail] = useState("");
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: askForReset,
    onSuccess: () => announce("A link is on its way, if this address has an account."),
  });
  const { errorByField, otherError } = errorsAbout(error, { email: "Email" });
  if (isSuccess) {
    return (
      <AuthFrame title="Look into your mail" lead={`If ${email} has an account here, a link is on its way to it.`}>
        <p className={styles.foot}>
          The link holds for an hour and works once. Nothing came? Whoever runs this server can set a password with{" "}
          <code className={styles.code}>tallyroom user reset-password</code>.
        </p>
        <Link to="/">Back to sign-in</Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="A new password" lead="A link to set it comes by mail.">
      <Form
        submitLabel="Send the link"
        busy={isPending}
        error={otherError}
        onSubmit={() => mutate(email)}
      >
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          large
          value={email}
          onChange={setEmail}
          error={errorByField.email}
        />
      </Form>
      <Link to="/" className={styles.link}>
        Back to sign-in
      </Link>
    </AuthFrame>
  );
}
