import { type Identity, identityOf } from "./auth.ts";
import { POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type AcceptanceFields = components["schemas"]["AcceptanceIn"];

/** Accept an invitation: with the token alone when signed in, with a name and a password for a new account. */
export const acceptInvite = (body: AcceptanceFields): Promise<Identity> =>
  identityOf(answer(POST("/v1/invites/accept", { body })));
