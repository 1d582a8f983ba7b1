/** How often the server is asked whether it is back, in milliseconds. */
const PROBE_EVERY_MS = 3_000;

let isReached = true;
let isProbing = false;
const listeners = new Set<() => void>();

function setReached(isNowReached: boolean): void {
  if (isNowReached === isReached) return;
  isReached = isNowReached;
  for (const listener of listeners) listener();
}

/** Take note that the server has answered. */
export const noteAnswer = () => setReached(true);

/**
 * Take note that a request did not reach the server: if another one does not either, the connection is lost.
 *
 * @param askServer - asks the server for anything; any answer tells that it is there.
 */
export function noteFailure(askServer: () => Promise<unknown>): void {
  if (!isProbing) void probe(askServer);
}

async function probe(askServer: () => Promise<unknown>): Promise<void> {
  isProbing = true;
  while (!(await doesAnswer(askServer))) {
    setReached(false);
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  setReached(true);
  isProbing = false;
}

const doesAnswer = (askServer: () => Promise<unknown>): Promise<boolean> => askServer().then(() => true, () => false);

/** Say when the connection is lost, or back. */
export function onConnectionChange(listener: () => void): () => void {
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
export function connectionLoss(): "offline" | "unreachable" | null {
  if (!navigator.onLine) return "offline";
  return isReached ? null : "unreachable";
}
