import { useEffect } from "react";

/** Tell the page which environment it shows, so that the line under the top bar can say so. */
export function useMarkedEnvironment(environment: string): void {
  useEffect(() => {
    document.documentElement.dataset.environment = environment === "production" ? "production" : "other";
    return () => {
      delete document.documentElement.dataset.environment;
    };
  }, [environment]);
}
