import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { changePassword } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { Row, RowActions, Rows } from "./Rows.tsx";
import { Section } from "./Section.tsx";

/** Set another password; everybody else who is signed in as this person is signed out. */
export function PasswordSection() {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changePassword({ current: currentPassword, new: newPassword }),
    gcTime: 0,
    onSuccess: () => {
      setCurrentPassword("");
      setNewPassword("");
      toast({ text: "Password changed. Your other sessions have ended." });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  const { errorByField, otherError } = errorsAbout(error, { current: "This", new: "Password" });
  return (
    <Section id="password" title="Password">
      <form onSubmit={submit}>
        <Rows>
          <Row label="Current password">
            <PasswordField
              label="Current password"
              hideLabel
              autoComplete="current-password"
              required
              value={currentPassword}
              onChange={setCurrentPassword}
              error={errorByField.current}
            />
          </Row>
          <Row label="New password" hint="At least 10 characters. This ends your other sessions, but not your tokens.">
            <PasswordField
              label="New password"
              hideLabel
              autoComplete="new-password"
              required
              value={newPassword}
              onChange={setNewPassword}
              error={errorByField.new}
            />
          </Row>
          <RowActions>
            <FormError text={otherError} />
            <Button type="submit" busy={isPending}>Change password</Button>
          </RowActions>
        </Rows>
      </form>
    </Section>
  );
}
