import { MAX_TITLE_LENGTH } from "../../widgets/questionTitle.ts";
import styles from "./TitleField.module.css";

export interface TitleFieldProps {
  title: string;
  /** What the widget is called as long as nobody has written a title. */
  ownTitle: string;
  onChange: (title: string) => void;
}

/** The title of a widget where it will be read. */
export function TitleField({ title, ownTitle, onChange }: TitleFieldProps) {
  return (
    <input
      type="text"
      aria-label="Title"
      autoComplete="off"
      className={styles.title}
      maxLength={MAX_TITLE_LENGTH}
      placeholder={ownTitle}
      title={title === "" ? "A title from the question. Click to write your own." : undefined}
      value={title}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
