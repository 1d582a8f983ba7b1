import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Identity, identityQuery } from "../../api/auth.ts";
import { restartOtherTabs } from "../../scope/otherTabs.ts";

/** Return how to go on as somebody who has just signed in: remember who they are, then show a page. */
export function useEntrance(): (identity: Identity, path: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (identity, path) => {
    restartOtherTabs();
    queryClient.clear();
    queryClient.setQueryData(identityQuery.queryKey, identity);
    return navigate({ href: path, replace: true });
  };
}
