import { useEffect, useRef, useState } from "react";
import styles from "./Contents.module.css";
import type { SettingsSection } from "./sections.ts";

/** What is this far below the top of the window is what somebody reads: below the top bar, and a little more. */
const READ_AT_PX = 120;

/** The list of the sections; the one that is read is marked. */
export function Contents({ sections }: { sections: readonly SettingsSection[] }) {
  const readId = useReadSectionId(sections);
  const listRef = useRef<HTMLElement>(null);
  useEffect(() => {
    if (listRef.current) showCurrent(listRef.current);
  }, [readId]);
  return (
    <nav ref={listRef} className={styles.contents} aria-label="Sections">
      {sections.map(({ id, title }) => (
        <a key={id} href={`#${id}`} className={styles.link} aria-current={id === readId ? "location" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** Bring the marked link to the middle: in a narrow window the list is a row, of which only a part is in sight. */
function showCurrent(list: HTMLElement): void {
  const link = list.querySelector<HTMLElement>("[aria-current]");
  if (link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
}

function useReadSectionId(sections: readonly SettingsSection[]): string | undefined {
  const [readId, setReadId] = useState(sections[0]?.id);
  useEffect(() => {
    const updateCurrent = () => {
      const { scrollY, innerHeight } = window;
      const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const passedSections = sections.filter(({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) <= READ_AT_PX);
      setReadId((isAtEnd ? sections : passedSections).at(-1)?.id ?? sections[0]?.id);
    };
    window.addEventListener("scroll", updateCurrent, { passive: true });
    return () => window.removeEventListener("scroll", updateCurrent);
  }, [sections]);
  return readId;
}
