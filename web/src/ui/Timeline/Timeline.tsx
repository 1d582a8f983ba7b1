import type { ReactNode } from "react";
import { Hidden } from "../Hidden/Hidden.tsx";
import styles from "./Timeline.module.css";

export interface TimelineItem {
  id: string;
  /** On the clock: `12:04`. */
  time: string;
  name: string;
  /** What happened in more words. */
  detail: string;
  place: ReactNode;
  source: string | null;
  isFailure: boolean;
}

export interface TimelineDay {
  /** `Today`, `Yesterday`, `Wed 18 Nov 2026`. */
  name: string;
  items: readonly TimelineItem[];
}

export interface TimelineProps {
  days: readonly TimelineDay[];
  /** The item that is open. */
  openId: string | undefined;
  onToggle: (id: string) => void;
  /** What an open item shows. */
  renderDetails: (id: string) => ReactNode;
}

/** What happened, newest first, day by day; each item opens in place. */
export function Timeline({ days, openId, onToggle, renderDetails }: TimelineProps) {
  return (
    <div className={styles.timeline}>
      {days.map((day) => (
        <section key={day.name} aria-label={day.name}>
          <h3 className={styles.day}>{day.name}</h3>
          <ol>
            {day.items.map((item) => (
              <li key={item.id}>
                <Item item={item} isOpen={item.id === openId} onToggle={() => onToggle(item.id)} />
                {item.id === openId ? <div className={styles.opened}>{renderDetails(item.id)}</div> : null}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Item({ item, isOpen, onToggle }: { item: TimelineItem; isOpen: boolean; onToggle: () => void }) {
  const { time, name, detail, place, source, isFailure } = item;
  return (
    <div className={styles.item} data-failure={isFailure || undefined} data-open={isOpen || undefined}>
      <span className={styles.time}>{time}</span>
      <i className={styles.dot} />
      <button type="button" className={styles.name} aria-expanded={isOpen} onClick={onToggle}>
        {name}
        {isFailure ? <Hidden>, failed</Hidden> : null}
      </button>
      <span className={styles.detail}>{detail}</span>
      <span className={styles.place}>{place}</span>
      <span className={styles.source}>{source}</span>
    </div>
  );
}
