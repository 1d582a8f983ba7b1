import { withLocalTimes } from "../../core/time.ts";
import styles from "./Notices.module.css";

/** What the server has to say about an answer. */
export interface Notice {
  code: string;
  message: string;
}

export interface NoticesProps {
  notices?: readonly Notice[] | undefined;
  /** The zone of the moments that they name. */
  timezone?: string;
}

/** What has to be known about the numbers beside it, such as that some of the data cannot be read. */
export function Notices({ notices = [], timezone = "UTC" }: NoticesProps) {
  return notices.map(({ code, message }) => (
    <p key={code + message} className={styles.notice}>
      {withLocalTimes(message, timezone)}
    </p>
  ));
}
