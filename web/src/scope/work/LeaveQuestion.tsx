import { useBlocker } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { lazily } from "../../ui/lazily.ts";
import { isWorkReleased } from "./unsavedWork.ts";
import type { AnyWork } from "./useWork.ts";

const LeaveDialog = lazily(() => import("./LeaveDialog.tsx"), "LeaveDialog");

/** Asks before a link, Back, a reload or closing the tab leaves work that is not saved. */
export function LeaveQuestion({ work }: { work: AnyWork }) {
  const { isUnsaved, isKept, isStillUnsaved, finish } = work;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isStillUnsaved() && current.pathname !== next.pathname,
    enableBeforeUnload: () => isStillUnsaved() && !isWorkReleased(),
    withResolver: true,
  });
  // The question must come up without a connection, too.
  useEffect(() => {
    if (isUnsaved) void LeaveDialog.load().catch(() => undefined);
  }, [isUnsaved]);
  if (blocker.status !== "blocked") return null;
  const { proceed, reset } = blocker;
  return (
    <Suspense>
      <LeaveDialog
        isKept={isKept}
        onLeave={proceed}
        onDiscard={() => {
          finish();
          proceed();
        }}
        onStay={reset}
      />
    </Suspense>
  );
}
