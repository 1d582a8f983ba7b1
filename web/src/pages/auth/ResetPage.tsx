import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { confirmReset, identityQuery } from "../../api/auth.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { AuthFrame } from "./AuthFrame.tsx";
import { Form, NewPasswordField } from "./Form.tsx";

const route = getRouteApi("/reset");

/** Set a new password with the token of a mailed link; then sign in with it. */
export function ResetPage() {
  const { token } = route.useSearch();
  const [password, setPassword] = useState("");
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => confirmReset(token ?? "", password),
    onSuccess: () => {
      queryClient.setQueryData(identityQuery.queryKey, null);
      toast({ text: "Password changed. Sign in with it." });
      return navigate({ to: "/", replace: true });
    },
  });
  const { errorByField, otherError } = errorsAbout(error, { token: "This link", password: "Password" });
  if (!token || errorByField.token) {
    return (
      <AuthFrame title="This link doesn't work" lead="It was already used, is older than an hour, or is incomplete.">
        <Link to="/forgot" className={buttonClass("primary")}>
          Request a new link
        </Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Set a new password" lead="This signs you out everywhere and revokes your personal access tokens.">
      <Form submitLabel="Set password" busy={isPending} error={otherError} onSubmit={() => mutate()}>
        <NewPasswordField label="New password" value={password} onChange={setPassword} error={errorByField.password} />
      </Form>
    </AuthFrame>
  );
}
