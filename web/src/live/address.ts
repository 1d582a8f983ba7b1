import workerUrl from "./worker.ts?sharedworker&url";

interface Policy {
  createScriptURL: (url: string) => URL;
}
interface Policies {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy;
}

let policy: Policy | undefined;

/** Return the address of the worker, in the form in which a page with Trusted Types may start it. */
export function workerAddress(): string | URL {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  if (!trustedTypes) return workerUrl;
  policy ??= trustedTypes.createPolicy("tallyroom", {
    createScriptURL: (url) => {
      if (url !== workerUrl) throw new TypeError("Only the worker of live events is started.");
      return url;
    },
  });
  return policy.createScriptURL(workerUrl);
}
