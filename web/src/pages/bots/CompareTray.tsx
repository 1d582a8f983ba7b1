import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { profilesQuery } from "../../api/bots.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { MAX_COMPARED } from "../../core/bots.ts";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import styles from "./CompareTray.module.css";

/** With more bots than this, their pictures alone stand in the tray. */
const MAX_SHOWN_NAMES = 4;

/** The bots that were picked, up to ten, and the way to compare them. */
export function CompareTray({ botIds, onClear }: { botIds: readonly string[]; onClear: () => void }) {
  const profilesOptions = profilesQuery(botIds);
  const { data: profileById } = useQuery({ ...profilesOptions, placeholderData: placeholderFor(profilesOptions.queryKey) });
  const freeCount = MAX_COMPARED - botIds.length;
  return (
    <section className={styles.tray} aria-label="Bots to compare" data-many={botIds.length > MAX_SHOWN_NAMES || undefined}>
      <ul className={styles.bots}>
        {botIds.map((id) => {
          const name = profileById?.get(id)?.name ?? id;
          return (
            <li key={id} title={name}>
              <BotPicture id={id} address={profileById?.get(id)?.avatar} size={22} />
              <span className={styles.name}>{name}</span>
            </li>
          );
        })}
      </ul>
      <span className={styles.room}>{botIds.length < 2 ? "pick one more" : freeCount === 0 ? "full" : `room for ${freeCount} more`}</span>
      {botIds.length < 2 ? null : (
        <Link to="/bots/compare" search={{ ids: botIds.join(",") }} className={buttonClass("primary")}>
          Compare {botIds.length}
        </Link>
      )}
      <IconButton label="Clear selection" icon={X} small onClick={onClear} />
    </section>
  );
}
