import { queryOptions } from "@tanstack/react-query";
import type { Role } from "../core/roles.ts";
import { DELETE, GET, PATCH, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type Member = components["schemas"]["MemberOut"];

/** The people of the workspace. */
export const membersQuery = queryOptions({
  queryKey: ["/v1/members"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/members", { signal }))).members,
  staleTime: 60_000,
});

const pathParams = (user_id: string) => ({ params: { path: { user_id } } });

/** Give a member another role, at most one's own. Admins only. */
export const changeRole = (id: string, role: Role) => answer(PATCH("/v1/members/{user_id}", { ...pathParams(id), body: { role } }));
/** Take a member out of the workspace, or leave it. */
export const removeMember = (id: string) => answer(DELETE("/v1/members/{user_id}", pathParams(id)));
