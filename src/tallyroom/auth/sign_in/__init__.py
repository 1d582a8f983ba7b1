"""Sign-up, sign-in, sign-out and new passwords."""
