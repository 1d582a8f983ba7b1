import { useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { droppedParts, parseSearch } from "../scope/search.ts";
import { toast } from "../ui/Toast/toast.ts";

/** The address with which the app was opened: the router takes out of it what no page knows. */
const firstAddress = { path: window.location.pathname, search: window.location.search };

/** Say which parts of the address the app was opened with mean nothing to its page, and so were left out. */
export function useDroppedPartsToast(): void {
  const search = useSearch({ strict: false });
  const [droppedText] = useState(() =>
    window.location.pathname === firstAddress.path ? droppedParts(parseSearch(firstAddress.search), search).join(", ") : "",
  );
  useEffect(() => {
    if (droppedText) toast({ text: `This page does not know a part of the address, and left it out: ${droppedText}` });
  }, [droppedText]);
}
