import {
  type CSSProperties, type ComponentProps, type ReactElement, type SyntheticEvent, type ToggleEvent, cloneElement, useId, useRef, useState,
} from "react";

export type Align = "start" | "center" | "end";

/** A surface of the top layer beside its button: the browser closes it outside and on Escape, and returns the focus. */
export interface Surface {
  isOpen: boolean;
  close: () => void;
  /** Call it when content has arrived that was not there on opening: its first control gets the focus. */
  focusOnArrival: () => void;
  /** Give these to the element that is the surface. */
  props: {
    ref: React.RefObject<HTMLDivElement | null>;
    id: string;
    popover: "auto";
    "data-align": Align;
    style: CSSProperties;
    onBeforeToggle: (event: ToggleEvent) => void;
    onToggle: (event: ToggleEvent) => void;
  };
  /** Return a button that opens it. */
  renderOpener: (trigger: ReactElement, role: "menu" | "dialog") => ReactElement;
}

const FOCUSABLE = "[role=menuitem]:enabled, input:enabled, select:enabled, textarea:enabled, button:enabled, a[href]";

/**
 * Return whether an event is about the element that listens, and not about one inside it.
 *
 * In the DOM toggle events do not bubble; in React they do, so the list of a field would speak for its popover.
 */
export const isOwn = ({ target, currentTarget }: SyntheticEvent): boolean => target === currentTarget;

/** Return the name by which CSS finds an element with this id. */
export const anchorOf = (id: string): string => `--${id.replace(/[^\w-]/g, "")}`;

/** Open something beside a button. Its first control gets the focus once, on opening or when it arrives. */
export function useSurface(align: Align): Surface {
  const surfaceRef = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const openerRef = useRef<Element | null>(null);
  // Content may arrive late: somebody who has gone on by then is left where they are.
  const focusFirst = () => {
    if (document.activeElement !== openerRef.current) return;
    surfaceRef.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
  };
  const id = useId();
  const anchor = anchorOf(id);
  return {
    isOpen,
    close: () => surfaceRef.current?.hidePopover(),
    focusOnArrival: () => {
      if (surfaceRef.current?.matches(":popover-open")) focusFirst();
    },
    props: {
      ref: surfaceRef,
      id,
      popover: "auto",
      "data-align": align,
      style: { positionAnchor: anchor },
      // What it holds is there before it is shown, so that it opens at its place.
      onBeforeToggle: (event) => {
        if (isOwn(event) && event.newState === "open") setOpen(true);
      },
      onToggle: (event) => {
        if (!isOwn(event)) return;
        const isNowOpen = event.newState === "open";
        setOpen(isNowOpen);
        openerRef.current = document.activeElement;
        if (isNowOpen) focusFirst();
      },
    },
    renderOpener: (trigger, role) =>
      cloneElement(trigger as ReactElement<ComponentProps<"button">>, {
        popoverTarget: id,
        "aria-haspopup": role,
        "aria-expanded": isOpen,
        style: { ...(trigger.props as { style?: CSSProperties }).style, anchorName: anchor },
      }),
  };
}
