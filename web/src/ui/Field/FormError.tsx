import { CircleAlert } from "lucide-react";
import { useEffect } from "react";
import { announce } from "../announce.ts";
import styles from "./Field.module.css";

/** Why a form was not accepted, in one line above its button; said to assistive technology when it changes. */
export function FormError({ text }: { text: string | null | undefined }) {
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
  if (!text) return null;
  return (
    <p className={styles.refusal}>
      <CircleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
      {text}
    </p>
  );
}
