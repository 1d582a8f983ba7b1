import { Search } from "lucide-react";
import { TextField } from "../ui/Field/TextField.tsx";
import styles from "./SearchField.module.css";
import { useTypedSearch } from "./useTypedSearch.ts";

export interface SearchFieldProps {
  label: string;
  /** What the address has. */
  q: string;
}

/** Keep the rows of a list that hold a text; the address has it as `q`. */
export function SearchField({ label, q }: SearchFieldProps) {
  const [text, setText] = useTypedSearch(q);
  return (
    <div className={styles.search}>
      <TextField label={label} hideLabel placeholder={label} icon={Search} value={text} onChange={setText} type="search" data-action="search" />
    </div>
  );
}
