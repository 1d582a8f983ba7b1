import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { type Dashboard, changeDashboard, dashboardQuery, dashboardsQuery } from "../../api/dashboards.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { toast } from "../../ui/Toast/toast.ts";
import { lazily } from "../../ui/lazily.ts";

const ConfirmDialog = lazily(() => import("../../ui/Dialog/ConfirmDialog.tsx"), "ConfirmDialog");

/** Let a dashboard count another environment, for everybody. A published one asks first: its page is for strangers. */
export function useBoardEnvironment(dashboard: Dashboard): { chooseEnvironment: (environment: string) => void; dialog: ReactNode } {
  const queryClient = useQueryClient();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [newEnvironment, setNewEnvironment] = useState<string | null>(null);
  const currentEnvironment = dashboard.environment;
  const { mutate, isPending } = useMutation({
    mutationFn: (environment: string) => changeDashboard(dashboard.id, { environment }),
    onSuccess: async (savedDashboard) => {
      queryClient.setQueryData(dashboardQuery(dashboard.id).queryKey, savedDashboard);
      setNewEnvironment(null);
      const undoOption = savedDashboard.environment === currentEnvironment
        ? {}
        : { action: { label: "Undo", onAct: () => mutate(currentEnvironment) } };
      toast({ text: `“${savedDashboard.name}” now shows ${environmentLabel(environments, savedDashboard.environment)} for everyone.`, ...undoOption });
      await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
    },
    onError: sayFailure,
  });
  const newLabel = newEnvironment === null ? "" : environmentLabel(environments, newEnvironment);
  return {
    chooseEnvironment: dashboard.isPublic ? setNewEnvironment : mutate,
    dialog:
      newEnvironment === null ? null : (
        <Suspense>
          <ConfirmDialog
            title={`Show ${newLabel}`}
            detail={`“${dashboard.name}” is published. Anyone with its link will see the numbers from ${newLabel}.`}
            confirm={`Show ${newLabel}`}
            busy={isPending}
            onConfirm={() => mutate(newEnvironment)}
            onClose={() => setNewEnvironment(null)}
          />
        </Suspense>
      ),
  };
}
