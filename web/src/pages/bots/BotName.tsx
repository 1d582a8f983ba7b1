import { Link } from "@tanstack/react-router";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import styles from "./BotName.module.css";

export interface BotNameProps {
  id: string;
  name: string;
  address?: string | undefined;
  /** A muted line below; undefined while it is on its way. */
  below: string | undefined;
}

/** A bot's picture and name, which lead to its page, and a line below. */
export function BotName({ id, name, address, below }: BotNameProps) {
  return (
    <Link to="/bots/$botId" params={{ botId: id }} className={styles.bot}>
      <BotPicture id={id} address={address} />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.below}>{below ?? "\u00a0"}</span>
      </span>
    </Link>
  );
}
