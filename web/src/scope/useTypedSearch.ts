import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";

/** The address follows what is typed after so long without a key. */
const SETTLE_MS = 250;

/**
 * Return the text of a search field and the function that changes it. The address has it as `q` a moment later, without
 * a step in the history for each letter; going back changes the field.
 */
export function useTypedSearch(q: string): [string, (text: string) => void] {
  const navigate = useNavigate();
  const [state, setState] = useState({ q, text: q });
  if (state.q !== q) setState({ q, text: state.text.trim() === q ? state.text : q });
  const settle = useEffectEvent(() => {
    const text = state.text.trim();
    if (text === q) return;
    void navigate({
      to: ".",
      search: ({ q: _q, ...rest }: { q?: string }) => (text === "" ? rest : { ...rest, q: text }),
      replace: true,
      resetScroll: false,
    });
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [state.text]);
  return [state.text, (text) => setState((current) => ({ ...current, text }))];
}
