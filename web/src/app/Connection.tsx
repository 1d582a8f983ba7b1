import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { connectionLoss, onConnectionChange } from "../api/connection.ts";
import styles from "./Connection.module.css";

const WORDS_BY_LOSS = {
  offline: "You are offline. What you see may be out of date.",
  unreachable: "The server cannot be reached. What you see may be out of date.",
};

/** A line that says that the connection is lost, until it is back; then what failed meanwhile is asked again. */
export function Connection() {
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
