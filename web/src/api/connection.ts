/** How often the server is asked whether it is back, in milliseconds. */
const AGAIN_MS = 3_000;

let isReached = true;
let isProbing = false;
const listeners = new Set<() => void>();

function note(reachable: boolean): void {
  if (reachable === isReached) return;
  isReached = reachable;
  for (const listener of listeners) listener();
}

/** Take note that the server has answered. */
export const noteAnswer = () => note(true);

/**
 * Take note that a request did not reach the server: if another one does not either, the connection is lost.
 *
 * @param ask - asks the server for anything; any answer tells that it is there.
 */
export function noteFailure(ask: () => Promise<unknown>): void {
  if (!isProbing) void probe(ask);
}

async function probe(ask: () => Promise<unknown>): Promise<void> {
  isProbing = true;
  while (!(await isAnswered(ask))) {
    note(false);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  note(true);
  isProbing = false;
}

const isAnswered = (ask: () => Promise<unknown>): Promise<boolean> =>
  ask().then(
    () => true,
    () => false,
  );

/** Say when the connection is lost, or back. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Return what keeps requests from the server: the browser is offline, or the server cannot be reached; null if nothing. */
export function lostConnection(): "offline" | "unreachable" | null {
  if (!navigator.onLine) return "offline";
  return isReached ? null : "unreachable";
}
