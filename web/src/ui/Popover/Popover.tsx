import type { ReactElement, ReactNode } from "react";
import styles from "./Popover.module.css";
import { type Align, useSurface } from "./useSurface.ts";

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  onOpenChange?: (open: boolean) => void;
  align?: Align;
}

/** A small surface beside a button. It closes on Escape and outside; the focus goes back to its button. */
export function Popover({ trigger, label, children, onOpenChange, align = "start" }: PopoverProps) {
  const surface = useSurface(align, onOpenChange);
  const content = () => (typeof children === "function" ? children(surface.close) : children);
  return (
    <>
      {surface.opener(trigger, "dialog")}
      <div {...surface.props} role="dialog" aria-label={label} className={styles.surface}>
        {surface.isOpen ? content() : null}
      </div>
    </>
  );
}
