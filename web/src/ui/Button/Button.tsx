import type { LucideIcon } from "lucide-react";
import type { ComponentProps, MouseEvent } from "react";
import styles from "./Button.module.css";

export type ButtonVariant = "plain" | "primary" | "quiet" | "danger";

export interface ButtonProps extends ComponentProps<"button"> {
  /** `primary` is the one main action of a page or dialog. */
  variant?: ButtonVariant;
  small?: boolean;
  /** 36 px instead of 32. */
  large?: boolean;
  /** Takes the whole width of its place. */
  wide?: boolean;
  icon?: LucideIcon;
  /** Its action is under way: it keeps the focus and does nothing. */
  busy?: boolean;
}

/** Return the class that makes a link look like a button. */
export function buttonClass(variant: ButtonVariant = "plain", small = false): string {
  return [styles.button, styles[variant], small ? styles.small : ""].join(" ").trim();
}

/** A button with words. */
export function Button({ variant = "plain", small = false, large = false, wide = false, icon: Icon, busy = false, children, onClick, ...rest }: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant, small)}
      data-large={large || undefined}
      data-wide={wide || undefined}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={handleClick}
    >
      {Icon ? <Icon size={small ? 14 : 16} strokeWidth={1.6} aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
