import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Height in px of the sign that covers the end of the region. */
const SIGN_HEIGHT = 24;
/** So much of a part may be cut off, in px: its lower padding, a border. */
const TOLERANCE = 5;

export interface HiddenParts {
  regionRef: RefObject<HTMLDivElement | null>;
  isScrollable: boolean;
  hiddenRowCount: number;
  hiddenColumnCount: number;
}

/** Count the parts of a region that scrolls which are below its edge, and the columns of a table beyond it. */
export function useHiddenParts(parts: string): HiddenParts {
  const regionRef = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState({ isScrollable: false, hiddenRowCount: 0, hiddenColumnCount: 0 });
  useLayoutEffect(() => {
    const region = regionRef.current;
    if (!region) return undefined;
    const measure = (): void => {
      const next = {
        isScrollable: region.scrollHeight > region.clientHeight || region.scrollWidth > region.clientWidth,
        hiddenRowCount: countBeyond(region, parts, "bottom"),
        hiddenColumnCount: countBeyond(region, "thead th", "right"),
      };
      setHidden((current) => (JSON.stringify(current) === JSON.stringify(next) ? current : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(region);
    for (const child of region.children) observer.observe(child);
    region.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      region.removeEventListener("scroll", measure);
    };
  }, [parts]);
  return { regionRef, ...hidden };
}

function countBeyond(region: HTMLElement, selector: string, side: "bottom" | "right"): number {
  const edge = region.getBoundingClientRect()[side];
  const ends = [...region.querySelectorAll(selector)].map((part) => part.getBoundingClientRect()[side]);
  if (ends.every((end) => end <= edge + TOLERANCE)) return 0;
  const firstHidden = side === "bottom" ? edge - SIGN_HEIGHT : edge;
  return ends.filter((end) => end > firstHidden + TOLERANCE).length;
}
