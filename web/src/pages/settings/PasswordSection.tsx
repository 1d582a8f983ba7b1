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
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changePassword({ current, new: next }),
    gcTime: 0,
    onSuccess: () => {
      setCurrent("");
      setNext("");
      toast({ text: "The password is changed. Your other sessions have ended." });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  const { about, rest } = errorsAbout(error, { current: "This", new: "Password" });
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
              value={current}
              onChange={setCurrent}
              error={about.current}
            />
          </Row>
          <Row label="New password" hint="At least 10 characters. Your other sessions end, and your tokens stay.">
            <PasswordField
              label="New password"
              hideLabel
              autoComplete="new-password"
              required
              value={next}
              onChange={setNext}
              error={about.new}
            />
          </Row>
          <RowActions>
            <FormError text={rest} />
            <Button type="submit" busy={isPending}>
              Change password
            </Button>
          </RowActions>
        </Rows>
      </form>
    </Section>
  );
}
