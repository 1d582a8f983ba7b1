import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { askForReset } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { announce } from "../../ui/announce.ts";
import { AuthFrame } from "./AuthFrame.tsx";
import { EmailField, Form } from "./Form.tsx";
import styles from "./Form.module.css";

/** Ask for a link by which a new password can be set. */
export function ForgotPage() {
  const [email, setEmail] = useState("");
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: askForReset,
    onSuccess: () => announce("If this address has an account, a link is on its way."),
  });
  const { errorByField, otherError } = errorsAbout(error, { email: "Email" });
  if (isSuccess) {
    return (
      <AuthFrame title="Check your email" lead={`If ${email} has an account, a link is on its way.`}>
        <p className={styles.foot}>
          The link works once and expires in an hour. Nothing arrived? The server's operator can set a password with{" "}
          <code className={styles.code}>tallyroom user reset-password</code>.
        </p>
        <Link to="/">Back to sign-in</Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Reset your password" lead="You'll get a link by email.">
      <Form submitLabel="Send link" busy={isPending} error={otherError} onSubmit={() => mutate(email)}>
        <EmailField value={email} onChange={setEmail} error={errorByField.email} />
      </Form>
      <Link to="/" className={styles.link}>
        Back to sign-in
      </Link>
    </AuthFrame>
  );
}
