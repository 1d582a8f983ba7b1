import { useEffect } from "react";

/** The other tabs of this browser, which have the same session. */
const tabs = new BroadcastChannel("session");

/** Begin again in the workspace that the session is in now: a new page, so that nothing of the one before stays. */
export function restartApp(): void {
  window.location.assign("/dashboards");
}

/** Tell the other tabs that the session is another person's, or in another workspace. */
export function restartOtherTabs(): void {
  tabs.postMessage("begin");
}

/** Begin again when another tab tells so. */
export function useRestartByOtherTabs(): void {
  useEffect(() => {
    tabs.addEventListener("message", restartApp);
    return () => tabs.removeEventListener("message", restartApp);
  }, []);
}
