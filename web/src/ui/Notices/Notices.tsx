import { withLocalTimes } from "../../core/time.ts";
import { Button } from "../Button/Button.tsx";
import styles from "./Notices.module.css";

/** What the server has to say about an answer. */
export interface Notice {
  code: string;
  message: string;
  /** The name that has never been seen. */
  name?: string;
  /** The name that was probably meant. */
  suggestion?: string;
}

export interface NoticesProps {
  notices?: readonly Notice[] | undefined;
  /** The zone of the moments that they name. */
  timezone?: string;
  /** Takes the name that was probably meant; absent where the question cannot be changed. */
  onUseSuggestion?: ((notice: Notice) => void) | undefined;
}

/** What has to be known about the numbers beside it, such as that some of the data cannot be read. */
export function Notices({ notices = [], timezone = "UTC", onUseSuggestion }: NoticesProps) {
  return notices.map((notice) => (
    <p key={notice.code + notice.message} className={styles.notice}>
      {withLocalTimes(notice.message, timezone)} <Suggestion notice={notice} onUseSuggestion={onUseSuggestion} />
    </p>
  ));
}

/** The button that takes the name that was probably meant; nothing without one. */
export function Suggestion({ notice, onUseSuggestion }: { notice: Notice } & Pick<NoticesProps, "onUseSuggestion">) {
  if (!onUseSuggestion || notice.suggestion === undefined) return null;
  return (
    <Button small onClick={() => onUseSuggestion(notice)}>
      Use {notice.suggestion}
    </Button>
  );
}
