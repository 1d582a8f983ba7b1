import { type CSSProperties, type ComponentProps, type ReactElement, type ToggleEvent, cloneElement, useId, useRef, useState } from "react";

export type Align = "start" | "center" | "end";

/** A surface of the top layer beside its button: the browser closes it outside and on Escape, and returns the focus. */
export interface Surface {
  isOpen: boolean;
  element: React.RefObject<HTMLDivElement | null>;
  close: () => void;
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
  opener: (trigger: ReactElement, role: "menu" | "dialog") => ReactElement;
}

interface TriggerProps {
  style?: CSSProperties;
}

const FOCUSABLE = "[role=menuitem]:not(:disabled), input, select, textarea, button:not(:disabled), a[href]";

/** Return the name by which CSS finds an element with this id. */
export function anchorOf(id: string): string {
  return `--${id.replace(/[^\w-]/g, "")}`;
}

/** Open something beside a button; when it is open, its first control has the focus. */
export function useSurface(align: Align, onOpenChange?: (open: boolean) => void): Surface {
  const element = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const anchor = anchorOf(id);
  return {
    isOpen,
    element,
    close: () => element.current?.hidePopover(),
    props: {
      ref: element,
      id,
      popover: "auto",
      "data-align": align,
      style: { positionAnchor: anchor },
      // What it holds is there before it is shown, so that it opens at its place.
      onBeforeToggle: ({ newState }) => {
        if (newState === "open") setOpen(true);
      },
      onToggle: ({ newState }) => {
        const open = newState === "open";
        setOpen(open);
        onOpenChange?.(open);
        if (open) element.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
      },
    },
    opener: (trigger, role) =>
      cloneElement(trigger as ReactElement<ComponentProps<"button">>, {
        popoverTarget: id,
        "aria-haspopup": role,
        "aria-expanded": isOpen,
        style: { ...(trigger.props as TriggerProps).style, anchorName: anchor },
      }),
  };
}
