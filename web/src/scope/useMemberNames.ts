import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../api/members.ts";

/** Return the function that names a member by the id of their user; undefined for nobody, and for somebody who is no member any more. */
export function useMemberNames(): (userId: string | null) => string | undefined {
  const { data: members = [] } = useQuery(membersQuery);
  return (userId) => members.find(({ id }) => id === userId)?.name;
}
