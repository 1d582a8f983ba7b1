import { type ReactElement, type ReactNode, Suspense, useEffectEvent, useLayoutEffect } from "react";
import styles from "./Popover.module.css";
import { type Align, useSurface } from "./useSurface.ts";

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  align?: Align;
}

/**
 * A small surface beside a button. It closes on Escape and outside; the focus goes back to its button.
 *
 * What it holds may be loaded when it opens.
 */
export function Popover({ trigger, label, children, align = "start" }: PopoverProps) {
  const surface = useSurface(align);
  const content = () => (typeof children === "function" ? children(surface.close) : children);
  return (
    <>
      {surface.renderOpener(trigger, "dialog")}
      <div {...surface.props} role="dialog" aria-label={label} className={styles.surface}>
        {surface.isOpen ? (
          <Suspense>
            <Arrival onArrive={surface.focusOnArrival} />
            {content()}
          </Suspense>
        ) : null}
      </div>
    </>
  );
}

/** Says when everything next to it, within the same `Suspense`, is on the page. */
function Arrival({ onArrive }: { onArrive: () => void }) {
  const arrive = useEffectEvent(onArrive);
  useLayoutEffect(() => arrive(), []);
  return null;
}
