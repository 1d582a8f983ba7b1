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
  0: () => ({ title: "No connection", detail: "The server cannot be reached. What is on screen may be old." }),
  401: () => ({ title: "You have been signed out", detail: "Sign in, and you are back on this page." }),
  402: ({ message }) => ({ title: "This needs another plan", detail: message }),
  403: ({ message }) => ({ title: "Your role may not do this", detail: message }),
  404: () => ({ title: "Nothing here", detail: "It was deleted, or it belongs to another workspace." }),
  413: ({ message }) => ({ title: "Too much at once", detail: message }),
  429: (error) => ({ title: "Too many requests", detail: retryInWords(error.retryAfterSeconds) }),
  500: () => ({ title: "This did not load", detail: "The server failed. Its log tells why, under the number of this request." }),
  503: (error) => ({ title: "The server is busy", detail: `${error.message} ${retryInWords(error.retryAfterSeconds)}`.trim() }),
};

/** Say what went wrong, why, and what helps. */
export function errorInWords(error: unknown): ErrorWords {
  if (!(error instanceof ApiError)) {
    return { title: "This did not load", detail: "The page made a mistake. Loading it again can help.", requestId: null };
  }
  const wording = WORDING_BY_STATUS[error.status] ?? (({ message }) => ({ title: "This did not load", detail: message }));
  return { ...wording(error), requestId: error.status >= 500 ? error.requestId : null };
}

/** Say what went wrong in one line, for a form or a message that passes. */
export function errorInLine(error: unknown): string {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return error.message;
  const { title, detail } = errorInWords(error);
  return `${title}. ${detail}`;
}

function retryInWords(seconds: number | null): string {
  if (seconds === null) return "It works again in a moment.";
  return `It works again in ${durationInWords(seconds)}.`;
}

function durationInWords(seconds: number): string {
  if (seconds < 100) return `${Math.max(1, Math.ceil(seconds))} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
