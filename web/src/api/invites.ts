import { queryOptions } from "@tanstack/react-query";
import { type Identity, identityOf } from "./auth.ts";
import { DELETE, GET, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type AcceptanceFields = components["schemas"]["AcceptanceIn"];

/** Accept an invitation: with the token alone when signed in, with a name and a password for a new account. */
export const acceptInvite = (body: AcceptanceFields): Promise<Identity> =>
  identityOf(answer(POST("/v1/invites/accept", { body })));

export type Invite = components["schemas"]["InviteOut"];
/** An invitation when it is made, with its token. Keep it nowhere but on screen. */
export type NewInvite = components["schemas"]["NewInviteOut"];

/** The open invitations of the workspace, newest first. Admins only. */
export const invitesQuery = queryOptions({
  queryKey: ["/v1/invites"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/invites", { signal }))).invites,
});

export const createInvite = (body: components["schemas"]["InviteIn"]): Promise<NewInvite> => answer(POST("/v1/invites", { body }));
/** Withdraw an invitation: its link leads nowhere from now on. */
export const withdrawInvite = (invite_id: string) =>
  answer(DELETE("/v1/invites/{invite_id}", { params: { path: { invite_id } } }));
