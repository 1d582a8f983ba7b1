import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";

/** The address follows what is typed after so long without a key. */
const SETTLE_MS = 250;

/**
 * Return the text of a search field and the function that changes it. The address has it as `q` a moment later, without
 * a step in the history for each letter; going back changes the field.
 */
export function useTypedSearch(q: string): [string, (typed: string) => void] {
  const navigate = useNavigate();
  const [state, setState] = useState({ q, typed: q });
  if (state.q !== q) setState({ q, typed: state.typed.trim() === q ? state.typed : q });
  const settle = useEffectEvent(() => {
    const text = state.typed.trim();
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
  }, [state.typed]);
  return [state.typed, (typed) => setState((current) => ({ ...current, typed }))];
}
