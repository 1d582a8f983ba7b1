import { Popover as Radix } from "radix-ui";
import { type ReactElement, type ReactNode, useState } from "react";
import styles from "./Popover.module.css";

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
}

/** A small surface beside a button. It closes on Escape and outside; the focus goes back to its button. */
export function Popover({ trigger, label, children, open, onOpenChange, align = "start" }: PopoverProps) {
  const [own, setOwn] = useState(false);
  const change = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  return (
    <Radix.Root open={open ?? own} onOpenChange={change} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.surface} aria-label={label} align={align} sideOffset={6} collisionPadding={8}>
          {typeof children === "function" ? children(() => change(false)) : children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
