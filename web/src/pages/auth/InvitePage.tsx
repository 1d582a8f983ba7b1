import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { identityQuery } from "../../api/auth.ts";
import { errorAbout } from "../../api/fieldErrors.ts";
import { acceptInvite } from "../../api/invites.ts";
import { errorInLine } from "../../api/words.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { AuthFrame } from "./AuthFrame.tsx";
import { Form } from "./Form.tsx";
import { JoinAsNewcomer } from "./JoinAsNewcomer.tsx";
import { useEntrance } from "./useEntrance.ts";

const route = getRouteApi("/invite");

/** Accept an invitation: signed in with one button, else with a new account. */
export function InvitePage() {
  const { token } = route.useSearch();
  const { data: identity, isPending } = useQuery(identityQuery);
  if (!token) {
    return (
      <AuthFrame title="This link doesn't work" lead="It's incomplete. Use the full link from your invitation.">
        <Link to="/" className={buttonClass("primary")}>
          Go to sign-in
        </Link>
      </AuthFrame>
    );
  }
  if (isPending) return null;
  return identity ? <JoinAsMember token={token} email={identity.user.email} /> : <JoinAsNewcomer token={token} />;
}

/** Join a workspace as the person who is signed in. */
function JoinAsMember({ token, email }: { token: string; email: string }) {
  const enter = useEntrance();
  const { mutate, isPending, error } = useMutation({
    mutationFn: acceptInvite,
    onSuccess: (identity) => enter(identity, "/"),
  });
  return (
    <AuthFrame title="You're invited" lead={`You're signed in as ${email}.`}>
      <Form
        submitLabel="Join workspace"
        busy={isPending}
        error={error ? (errorAbout(error, "token", "This invitation") ?? errorInLine(error)) : null}
        onSubmit={() => mutate({ token })}
      >
        <p>You can switch between your workspaces at any time.</p>
      </Form>
      <Link to="/dashboards">Not now</Link>
    </AuthFrame>
  );
}
