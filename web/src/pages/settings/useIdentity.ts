import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Identity, identityQuery } from "../../api/auth.ts";

const pages = getRouteApi("/member");

/** Who is signed in, and where; up to date after the workspace got another name or time zone. */
export function useIdentity(): Identity {
  const { identity } = pages.useRouteContext();
  const { data } = useQuery(identityQuery);
  return data ?? identity;
}
