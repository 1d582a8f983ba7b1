import "./ui/reset.css";
import "./ui/tokens.css";
import "./ui/typeface.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/errors.ts";
import { makeQueryClient } from "./api/queries.ts";
import { PublicPage } from "./pages/public/PublicPage.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element.");

const [, , slug = ""] = window.location.pathname.split("/");
const isEmbedded = new URLSearchParams(window.location.search).get("embed") === "1";

/** Report mistakes to the browser; a refusal is told on the page. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error);
}

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={makeQueryClient(() => undefined)}>
      <PublicPage slug={decodeURIComponent(slug)} isEmbedded={isEmbedded} />
    </QueryClientProvider>
  </StrictMode>,
);
