import { Tooltip as Radix } from "radix-ui";
import { type ReactElement, useState } from "react";
import { landmark } from "../landmark.ts";
import styles from "./Tooltip.module.css";

export interface TooltipProps {
  text: string;
  /** A button or link: the tooltip describes it. */
  children: ReactElement;
}

/** A few more words about a control, on hover and on focus. Never the only place of a value. */
export function Tooltip({ text, children }: TooltipProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root onOpenChange={(open) => open && setPlace(landmark())}>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal container={place}>
          <Radix.Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
