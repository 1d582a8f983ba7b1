import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { errorAbout } from "../../api/fieldErrors.ts";
import { acceptInvite } from "../../api/invites.ts";
import { errorInLine } from "../../api/words.ts";
import { AuthFrame } from "./AuthFrame.tsx";
import { Form } from "./Form.tsx";
import { useEntrance } from "./useEntrance.ts";

/** Join a workspace as the person who is signed in. */
export function JoinAsMember({ token, email }: { token: string; email: string }) {
  const enter = useEntrance();
  const { mutate, isPending, error } = useMutation({
    mutationFn: acceptInvite,
    onSuccess: (identity) => enter(identity, "/"),
  });
  return (
    <AuthFrame title="You are invited" lead={`You are signed in as ${email}.`}>
      <Form
        submitLabel="Join the workspace"
        busy={isPending}
        error={error ? (errorAbout(error, "token", "This invitation") ?? errorInLine(error)) : null}
        onSubmit={() => mutate({ token })}
      >
        <p>The workspace is added to those you have. You can switch between them at any time.</p>
      </Form>
      <Link to="/dashboards">Not now</Link>
    </AuthFrame>
  );
}
