import { useEffect, useRef } from "react";
import { isDialogOpen } from "../../core/keys.ts";

/** Save by Ctrl S or ⌘S, in place of the browser's own dialog. */
export function useSaveKey(save: () => void): void {
  const saveRef = useRef(save);
  useEffect(() => {
    saveRef.current = save;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "s" || isDialogOpen()) return;
      event.preventDefault();
      saveRef.current();
    };
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, []);
}
