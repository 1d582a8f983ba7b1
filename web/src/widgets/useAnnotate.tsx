import { type ReactNode, Suspense, useState } from "react";
import { lazily } from "../ui/lazily.ts";

const AnnotationDialog = lazily(() => import("./AnnotationDialog.tsx"), "AnnotationDialog");

/** Marking a moment on the charts of an environment: the dialog to show, and what opens it. */
export interface Annotate {
  /** Open the dialog for a moment (RFC 3339); absent for those who may not. */
  openDialog: ((t: string) => void) | undefined;
  dialog: ReactNode;
}

/** Let developers mark a moment of an environment from a chart. */
export function useAnnotate(environment: string, mayWrite: boolean): Annotate {
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
