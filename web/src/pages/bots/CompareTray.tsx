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
const MAX_NAMES = 4;

/** The bots that were picked, up to ten, and the way to compare them. */
export function CompareTray({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  const query = profilesQuery(ids);
  const { data: profiles } = useQuery({ ...query, placeholderData: placeholderFor(query.queryKey) });
  const more = MAX_COMPARED - ids.length;
  return (
    <section className={styles.tray} aria-label="Bots to compare" data-many={ids.length > MAX_NAMES || undefined}>
      <ul className={styles.bots}>
        {ids.map((id) => {
          const name = profiles?.get(id)?.name ?? id;
          return (
            <li key={id} title={name}>
              <BotPicture id={id} address={profiles?.get(id)?.avatar} size={22} />
              <span className={styles.name}>{name}</span>
            </li>
          );
        })}
      </ul>
      <span className={styles.room}>{ids.length < 2 ? "pick one more" : more === 0 ? "full" : more === 1 ? "one more fits" : `${more} more fit`}</span>
      {ids.length < 2 ? null : (
        <Link to="/bots/compare" search={{ ids: ids.join(",") }} className={buttonClass("primary")}>
          Compare {ids.length}
        </Link>
      )}
      <IconButton label="Empty the tray" icon={X} small onClick={onClear} />
    </section>
  );
}
