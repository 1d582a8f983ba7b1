import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signOutEverywhere } from "../../api/auth.ts";
import { errorInLine } from "../../api/words.ts";
import { forgetDrafts } from "../../core/drafts.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { Row, Rows } from "./Rows.tsx";
import { Section } from "./Section.tsx";
import { useIdentity } from "./useIdentity.ts";

/** Where somebody is signed in, and the way to end all of it. */
export function SessionsSection() {
  const { user } = useIdentity();
  const [isConfirming, setIsConfirming] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: signOutEverywhere,
    // A new page, so that nothing of the person's stays in memory.
    onSuccess: () => {
      forgetDrafts();
      window.location.assign("/");
    },
  });
  return (
    <Section id="sessions" title="Sessions">
      <Rows>
        <Row
          label={`Signed in as ${user.email}`}
          hint="A session ends after 12 hours of inactivity, and after 14 days at the latest."
        >
          <Button variant="danger" onClick={() => setIsConfirming(true)}>
            Sign out everywhere
          </Button>
        </Row>
      </Rows>
      {isConfirming ? (
        <ConfirmDialog
          title="Sign out everywhere"
          detail="This ends all your sessions, including this one, and deletes the drafts in this browser. Personal access tokens keep working. Revoke any you don't trust."
          confirm="Sign out everywhere"
          busy={isPending}
          error={error ? errorInLine(error) : null}
          onConfirm={() => mutate()}
          onClose={() => setIsConfirming(false)}
        />
      ) : null}
    </Section>
  );
}
