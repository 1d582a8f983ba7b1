import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { TextField } from "../ui/Field/TextField.tsx";
import styles from "./SearchField.module.css";

/** Keep the rows of a list that hold a text; the address has it as `q`. */
export function SearchField({ label, q }: { label: string; q: string }) {
  const [text, setText] = useTypedSearch(q);
  return (
    <div className={styles.search}>
      <TextField label={label} hideLabel placeholder={label} icon={Search} value={text} onChange={setText} type="search" data-action="search" />
    </div>
  );
}

/** The address follows what is typed after so long without a key. */
const SETTLE_MS = 250;

/**
 * Return the text of a search field and the function that changes it. The address has it as `q` a moment later, without
 * a step in the history for each letter; going back changes the field.
 */
function useTypedSearch(q: string): [string, (text: string) => void] {
  const navigate = useNavigate();
  const [typed, setTyped] = useState({ q, text: q });
  if (typed.q !== q) setTyped({ q, text: typed.text.trim() === q ? typed.text : q });
  const writeAddress = useEffectEvent(() => {
    const text = typed.text.trim();
    if (text === q) return;
    void navigate({
      to: ".",
      search: ({ q: _q, ...rest }: { q?: string }) => (text === "" ? rest : { ...rest, q: text }),
      replace: true,
      resetScroll: false,
    });
  });
  useEffect(() => {
    const timer = setTimeout(() => writeAddress(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed.text]);
  return [typed.text, (text) => setTyped((current) => ({ ...current, text }))];
}
