import { queryOptions } from "@tanstack/react-query";
import type { Role } from "../core/roles.ts";
import { DELETE, GET, POST, answer } from "./client.ts";
import { ApiError } from "./errors.ts";
import type { components } from "./schema.gen.ts";

/** Who is signed in, and where. */
export type Identity = Omit<components["schemas"]["IdentityOut"], "role"> & { role: Role };
export type SignupFields = components["schemas"]["SignupIn"];
export type LoginFields = components["schemas"]["LoginIn"];

/** The signed-in person; null when nobody is. */
export const identityQuery = queryOptions({
  queryKey: ["/v1/auth/me"],
  queryFn: async ({ signal }): Promise<Identity | null> => {
    try {
      return (await answer(GET("/v1/auth/me", { signal }))) as Identity;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Who may sign up now: the first user, anybody, or only who is invited. */
export const signupQuery = queryOptions({
  queryKey: ["/v1/auth/signup"],
  queryFn: ({ signal }) => answer(GET("/v1/auth/signup", { signal })),
  staleTime: 60_000,
});

/** Sign up with a workspace in a time zone; where the server does not know the zone, the workspace begins in UTC. */
export async function signUp(fields: SignupFields, timezone: string): Promise<Identity> {
  const send = (body: SignupFields) => identityOf(answer(POST("/v1/auth/signup", { body })));
  try {
    return await send({ ...fields, timezone });
  } catch (error) {
    if (error instanceof ApiError && error.messageAbout("timezone") !== null) return send(fields);
    throw error;
  }
}
export const signIn = (body: LoginFields): Promise<Identity> => identityOf(answer(POST("/v1/auth/login", { body })));
export const signOut = () => answer(POST("/v1/auth/logout"));
export const switchWorkspace = (workspaceId: string) => answer(POST("/v1/auth/workspace", { body: { workspaceId } }));
export const askForReset = (email: string) => answer(POST("/v1/auth/reset", { body: { email } }));
export const confirmReset = (token: string, password: string) =>
  answer(POST("/v1/auth/reset/confirm", { body: { token, password } }));

/** The API names roles by their words; the app knows which words there are. */
export async function identityOf(response: Promise<components["schemas"]["IdentityOut"]>): Promise<Identity> {
  return (await response) as Identity;
}

/** Change the password; every other session of the person ends. */
export const changePassword = (body: components["schemas"]["PasswordIn"]) => answer(POST("/v1/auth/password", { body }));
/** End every session of the person, this one too. */
export const signOutEverywhere = () => answer(DELETE("/v1/auth/sessions"));
