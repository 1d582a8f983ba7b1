import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ApiError } from "../api/errors.ts";
import { errorInWords } from "../api/words.ts";
import { Page } from "../ui/Page/Page.tsx";
import { ErrorState } from "../ui/States/ErrorState.tsx";
import { FrameContent, NothingHere } from "./NothingHere.tsx";

/** The page for a page that did not load: what went wrong, and one button to try again where that can help. */
export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  if (error instanceof ApiError && error.status === 404) return <NothingHere />;
  return (
    <FrameContent>
      <Page title="This page didn't load">
        <ErrorState {...errorInWords(error)} onRetry={retry} />
      </Page>
    </FrameContent>
  );
}
