import { ApiError } from "./errors.ts";

/** What a person reads when something did not work. */
export interface ErrorWords {
  title: string;
  detail: string;
  /** What the server calls the request, where its log can tell more. */
  requestId: string | null;
}

type Wording = (error: ApiError) => Omit<ErrorWords, "requestId">;

const WORDING_BY_STATUS: Record<number, Wording> = {
  0: () => ({ title: "No connection", detail: "Can't reach the server. Data may be out of date." }),
  401: () => ({ title: "You've been signed out", detail: "Sign in to return to this page." }),
  402: ({ message }) => ({ title: "Not included in your plan", detail: message }),
  403: ({ message }) => ({ title: "Your role doesn't allow this", detail: message }),
  404: () => ({ title: "Nothing here", detail: "It may have been deleted or belong to another workspace." }),
  413: ({ message }) => ({ title: "Request too large", detail: message }),
  429: (error) => ({ title: "Too many requests", detail: retryInWords(error.retryAfterSeconds) }),
  500: () => ({
    title: "This didn't load",
    detail: "An internal error occurred. Search the server's log for this request ID.",
  }),
  503: ({ message, retryAfterSeconds }) => {
    const reason = message.replace(/ Try again[^.]*\.$/, ""); // advice without the time
    return { title: "The server is busy", detail: `${reason} ${retryInWords(retryAfterSeconds)}`.trim() };
  },
};

/** Say what went wrong, why, and what helps. */
export function errorInWords(error: unknown): ErrorWords {
  if (!(error instanceof ApiError)) {
    return { title: "This didn't load", detail: "Something went wrong on this page. Try reloading.", requestId: null };
  }
  const wording = WORDING_BY_STATUS[error.status] ?? (({ message }) => ({ title: "This didn't load", detail: message }));
  return { ...wording(error), requestId: error.status >= 500 ? error.requestId : null };
}

/** Say what went wrong with something that somebody did in one line, for a form or a message that passes. */
export function errorInLine(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) return "Can't reach the server. Try again when you're connected.";
  if (error instanceof ApiError && error.status === 500) return serverFailureInLine(error.requestId);
  if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return error.message;
  const { title, detail } = errorInWords(error);
  return `${title}. ${detail}`;
}

function serverFailureInLine(requestId: string | null): string {
  const reason = "An internal error occurred. Try again";
  return requestId === null ? `${reason}.` : `${reason}, or search the server's log for request ${requestId}.`;
}

function retryInWords(seconds: number | null): string {
  if (seconds === null) return "Try again shortly.";
  return `Try again in ${seconds < 100 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`}.`;
}
