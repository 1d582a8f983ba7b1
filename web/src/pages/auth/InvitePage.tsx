import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { identityQuery } from "../../api/auth.ts";
import { AuthFrame } from "./AuthFrame.tsx";
import { JoinAsMember } from "./JoinAsMember.tsx";
import { JoinAsNewcomer } from "./JoinAsNewcomer.tsx";

const route = getRouteApi("/invite");

/** Accept an invitation: signed in with one button, else with a new account. */
export function InvitePage() {
  const { token } = route.useSearch();
  const { data: identity, isPending } = useQuery(identityQuery);
  if (!token) {
    return (
      <AuthFrame title="This link does not work" lead="A part of it is missing. Open the one in your invitation.">
        <Link to="/">Go to sign-in</Link>
      </AuthFrame>
    );
  }
  if (isPending) return null;
  return identity ? <JoinAsMember token={token} email={identity.user.email} /> : <JoinAsNewcomer token={token} />;
}
