import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Identity, identityQuery } from "../../api/auth.ts";

const memberRoute = getRouteApi("/member");

/** Who is signed in, and where; up to date after the workspace got another name or time zone. */
export function useIdentity(): Identity {
  const { identity } = memberRoute.useRouteContext();
  const { data } = useQuery(identityQuery);
  return data ?? identity;
}
