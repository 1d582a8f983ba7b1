import styles from "./Notices.module.css";

/** What the server has to say about an answer. */
export interface Notice {
  code: string;
  message: string;
}

/** What has to be known about the numbers beside it, such as that some of the data cannot be read. */
export function Notices({ notices = [] }: { notices?: readonly Notice[] | undefined }) {
  return notices.map(({ code, message }) => (
    <p key={code + message} className={styles.notice}>
      {message}
    </p>
  ));
}
