import { Link } from "@tanstack/react-router";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import styles from "./BotName.module.css";

export interface BotNameProps {
  id: string;
  name: string;
  pictureAddress?: string | undefined;
  /** A muted line below; undefined while it is on its way. */
  noteText: string | undefined;
}

/** A bot's picture and name, which lead to its page, and a line below. */
export function BotName({ id, name, pictureAddress, noteText }: BotNameProps) {
  return (
    <Link to="/bots/$botId" params={{ botId: id }} className={styles.bot}>
      <BotPicture id={id} address={pictureAddress} />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.below}>{noteText ?? "\u00a0"}</span>
      </span>
    </Link>
  );
}
