import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import styles from "./Button.module.css";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  /** What it does, for those who do not see the icon. */
  label: string;
  icon: LucideIcon;
  small?: boolean;
}

/** A square button with an icon and no words. */
export function IconButton({ label, icon: Icon, small = false, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} aria-label={label} className={styles.icon} data-small={small || undefined}>
      <Icon size={small ? 14 : 16} strokeWidth={1.6} aria-hidden="true" />
    </button>
  );
}
