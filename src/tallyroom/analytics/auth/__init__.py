"""Sign-up, sign-in, sign-out."""
