import { useMutation } from "@tanstack/react-query";
import { switchWorkspace } from "../api/auth.ts";
import { errorInLine } from "../api/words.ts";
import { restartOtherTabs } from "../scope/otherTabs.ts";
import { Button } from "../ui/Button/Button.tsx";
import { FormError } from "../ui/Field/FormError.tsx";
import { Page } from "../ui/Page/Page.tsx";
import { State } from "../ui/States/State.tsx";

/** What stands in place of a page of another workspace of the same person: the way there. */
export function OtherWorkspace({ id, name, currentName }: { id: string; name: string; currentName: string }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => switchWorkspace(id),
    onSuccess: () => {
      restartOtherTabs();
      // A new page at the same address, so that nothing of the workspace before stays.
      window.location.reload();
    },
  });
  return (
    <Page title="In another workspace">
      <State
        strokes={4}
        title={`This page is in ${name}`}
        detail={
          <>
            You're in {currentName}.
            <FormError text={error ? errorInLine(error) : null} />
          </>
        }
        action={
          <Button variant="primary" busy={isPending} onClick={() => mutate()}>
            Switch to {name}
          </Button>
        }
      />
    </Page>
  );
}
