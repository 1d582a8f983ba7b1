import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { signupQuery } from "../../api/auth.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { AuthFrame } from "./AuthFrame.tsx";
import styles from "./Form.module.css";
import { SignInForm } from "./SignInForm.tsx";
import { SignUpForm } from "./SignUpForm.tsx";

const route = getRouteApi("/");

/** The door: sign in, or sign up where nobody has yet or anybody may. */
export function HomePage() {
  const { next: nextPath } = route.useSearch();
  const { data, isPending } = useQuery(signupQuery);
  const { first: isFirstUser = false, open: isSignupOpen = false } = data ?? {};
  const [isSigningUp, setIsSigningUp] = useState(false);
  if (isPending) return null;
  if (isFirstUser) {
    return (
      <AuthFrame title="Set up this server" lead="The first user owns the server. Everyone else joins by invitation.">
        <SignUpForm />
      </AuthFrame>
    );
  }
  if (isSignupOpen && isSigningUp) {
    return (
      <AuthFrame title="Sign up" lead={`on ${location.host}`}>
        <SignUpForm />
        <Button variant="quiet" onClick={() => setIsSigningUp(false)}>Sign in instead</Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Sign in" lead={`to ${location.host}`}>
      <SignInForm nextPath={nextPath} />
      {isSignupOpen ? (
        <Button variant="quiet" onClick={() => setIsSigningUp(true)}>New here? Sign up</Button>
      ) : (
        <p className={styles.foot}>New here? Ask a workspace admin for an invitation.</p>
      )}
    </AuthFrame>
  );
}
