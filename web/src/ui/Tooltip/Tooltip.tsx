import { type ReactElement, cloneElement, useEffect, useId, useRef, useState } from "react";
import { anchorOf } from "../Popover/useSurface.ts";
import styles from "./Tooltip.module.css";

export interface TooltipProps {
  text: string;
  /** A button or link: the tooltip describes it. */
  children: ReactElement;
}

const DELAY_MS = 400;

/** A few more words about a control, on hover and on focus. Never the only place of a value. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const anchor = anchorOf(id);
  const surfaceRef = useRef<HTMLSpanElement>(null);
  const [isActive, setActive] = useState(false);
  useEffect(() => {
    if (!isActive) return;
    const element = surfaceRef.current;
    const timer = window.setTimeout(() => element?.showPopover(), DELAY_MS);
    return () => {
      window.clearTimeout(timer);
      element?.hidePopover();
    };
  }, [isActive]);
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the control inside takes the focus and the clicks
    <span
      className={styles.place}
      style={{ anchorName: anchor }}
      onPointerEnter={() => setActive(true)}
      onPointerLeave={() => setActive(false)}
      onFocus={() => setActive(true)}
      onBlur={() => setActive(false)}
      onKeyDown={({ key }) => key === "Escape" && setActive(false)}
    >
      {cloneElement(children as ReactElement<{ "aria-describedby"?: string }>, { "aria-describedby": id })}
      <span ref={surfaceRef} id={id} role="tooltip" popover="manual" className={styles.tooltip} style={{ positionAnchor: anchor }}>
        {text}
      </span>
    </span>
  );
}
