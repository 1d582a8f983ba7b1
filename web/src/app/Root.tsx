import { useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { connectionLoss, onConnectionChange } from "../api/connection.ts";
import { Toasts } from "../ui/Toast/Toasts.tsx";
import styles from "./Root.module.css";

/** The frame of every page: only the places for messages that pass, and for a lost connection. */
export function Root() {
  return (
    <>
      <Connection />
      <Outlet />
      <Toasts />
    </>
  );
}

const WORDS_BY_LOSS = {
  offline: "You're offline. Data may be out of date.",
  unreachable: "Can't reach the server. Data may be out of date.",
};

/** A line that says that the connection is lost, until it is back; then what failed meanwhile is asked again. */
function Connection() {
  const loss = useSyncExternalStore(onConnectionChange, connectionLoss);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (loss === null) return undefined;
    return () => void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
  }, [loss, queryClient]);
  return (
    <div role="status" className={styles.place}>
      {loss ? <p className={styles.line}>{WORDS_BY_LOSS[loss]}</p> : null}
    </div>
  );
}
