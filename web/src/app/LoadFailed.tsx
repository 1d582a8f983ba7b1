import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { errorInWords } from "../api/words.ts";
import { Page } from "../ui/Page/Page.tsx";
import { ErrorState } from "../ui/States/ErrorState.tsx";

/** The page for a page that did not load: what went wrong, and one button to try again. */
export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main>
      <Page title="This page did not load">
        <ErrorState {...errorInWords(error)} onRetry={retry} />
      </Page>
    </main>
  );
}
