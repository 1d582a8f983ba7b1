import { useEffectEvent, useLayoutEffect } from "react";

/** Says when everything beside it, within the same `Suspense`, is on the page. */
export function Arrival({ onArrive }: { onArrive: () => void }) {
  const arrive = useEffectEvent(onArrive);
  useLayoutEffect(() => arrive(), []);
  return null;
}
