import "./ui/reset.css";
import "./ui/tokens.css";
import "./ui/typeface.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { identityQuery } from "./api/auth.ts";
import { ApiError } from "./api/errors.ts";
import { makeQueryClient } from "./api/queries.ts";
import { makeRouter } from "./app/routes.ts";
import { hasUnsavedWork } from "./scope/work/unsavedWork.ts";
import { toast } from "./ui/Toast/toast.ts";

const queryClient = makeQueryClient(() => void leaveIfSignedOut());
const router = makeRouter(queryClient);
const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element.");

/**
 * Go to the sign-in form, which leads back to this page, if nobody is signed in any more. What was asked while the
 * session got another token, as with a new password, is refused as well.
 */
async function leaveIfSignedOut(): Promise<void> {
  if (!queryClient.getQueryData(identityQuery.queryKey)) return;
  const identity = await queryClient.query({ ...identityQuery, staleTime: 0 }).catch(() => undefined);
  if (identity !== null) return;
  if (hasUnsavedWork()) toast({ text: "Your session has ended. Sign in to go on. Your draft is kept in this browser.", tone: "error" });
  await router.invalidate();
}

// A page that the browser shows as it was left may be of somebody who has signed out since.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  root.hidden = true;
  void leaveIfSignedOut().finally(() => {
    root.hidden = false;
  });
});

/** Report mistakes to the browser; a refusal is told on the page. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error);
}

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
