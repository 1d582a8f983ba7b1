import { Suspense, useState } from "react";
import { lazily } from "../ui/lazily.ts";

const AnnotationDialog = lazily(() => import("./AnnotationDialog.tsx"), "AnnotationDialog");

/** Let developers mark a moment (RFC 3339) of an environment from a chart: what opens the dialog, and the dialog to show. */
export function useAnnotate(environment: string, mayWrite: boolean) {
  const [moment, setMoment] = useState<string | null>(null);
  const close = () => setMoment(null);
  return {
    openDialog: mayWrite ? setMoment : undefined,
    dialog: moment ? (
      <Suspense>
        <AnnotationDialog environment={environment} time={moment} onClose={close} />
      </Suspense>
    ) : null,
  };
}
