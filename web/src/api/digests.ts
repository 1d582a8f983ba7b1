import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import { ApiError } from "./errors.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
/** A dashboard that is mailed regularly. */
export type Digest = Schemas["DigestOut"];
export type DigestFields = Schemas["DigestIn"];
export type DigestChange = Schemas["DigestChange"];
export type Cadence = DigestFields["cadence"];
export type Sending = Schemas["SendingOut"];
/** A mail to one recipient, and what became of it. */
export type Mail = Schemas["MailOut"];

/** A first attempt is a matter of seconds; the next ones are minutes and hours apart. */
const SOON_MS = 1_000;
const LATER_MS = 30_000;

/** The digests of the workspace, the oldest first. */
export const digestsQuery = queryOptions({
  queryKey: ["/v1/digests"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/digests", { signal }))).digests,
});

/** What became of the newest sendings of a digest, asked again while mails wait. */
export const sendingsQuery = (digest_id: string) =>
  queryOptions({
    queryKey: ["/v1/digests/{digest_id}/sendings", digest_id],
    queryFn: async ({ signal }) =>
      (await answer(GET("/v1/digests/{digest_id}/sendings", { params: { path: { digest_id } }, signal }))).sendings,
    refetchInterval: ({ state }) => {
      const waitingMails = (state.data ?? []).flatMap(({ mails }) => mails).filter(({ status }) => status === "waiting");
      if (waitingMails.length === 0) return false;
      return waitingMails.some(({ error }) => error === null) ? SOON_MS : LATER_MS;
    },
  });

const pathParams = (digest_id: string) => ({ params: { path: { digest_id } } });

export const createDigest = (body: DigestFields) => answer(POST("/v1/digests", { body }));
export const changeDigest = (id: string, body: DigestChange) => answer(PATCH("/v1/digests/{digest_id}", { ...pathParams(id), body }));
export const deleteDigest = (id: string) => deletion(id, DELETE("/v1/digests/{digest_id}", pathParams(id)));
/** Send a digest now; the answer comes before the mails are sent. */
export const sendDigest = (id: string): Promise<Sending> => answer(POST("/v1/digests/{digest_id}/send", pathParams(id)));

/** Return the address of the mail as it would be sent now, for a frame: a page with a theme and a policy of its own. */
export const previewAddress = (id: string, theme: "light" | "dark"): string => `/v1/digests/${encodeURIComponent(id)}/preview.html?theme=${theme}`;

/** Return why a frame does not show the mail that it was to show; null if it does. */
export function previewFailure(mail: Document | null): ApiError | null {
  if (mail?.contentType === "text/html") return null;
  const body = readJson(mail?.body.textContent ?? "");
  if (!body) return new ApiError(0, { error: "offline", message: "Can't reach the server." });
  return new ApiError(body.code, body, null);
}

function readJson(text: string): Schemas["ErrorBody"] | null {
  try {
    return JSON.parse(text) as Schemas["ErrorBody"];
  } catch {
    return null;
  }
}
