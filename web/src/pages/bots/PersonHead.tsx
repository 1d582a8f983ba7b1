import type { ReactNode } from "react";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import styles from "./PersonHead.module.css";

export interface PersonHeadProps {
  id: string;
  /** Null for somebody whose name is not known. */
  name: string | null;
  pictureAddress?: string | undefined;
  /** What they are: "Owner", "Voter". */
  kind: string;
  /** A line below. */
  children: ReactNode;
}

/** Who an owner or a voter is: picture, name and id. */
export function PersonHead({ id, name, pictureAddress, kind, children }: PersonHeadProps) {
  return (
    <div className={styles.head}>
      <BotPicture id={id} address={pictureAddress} size={48} />
      <div className={styles.who}>
        <p className={styles.name}>
          <span>{name ?? kind}</span> <code>{id}</code>
        </p>
        <p className={styles.note}>{children}</p>
      </div>
    </div>
  );
}
