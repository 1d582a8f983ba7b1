import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { type Dashboard, changeDashboard, dashboardQuery, dashboardsQuery } from "../../api/dashboards.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { toast } from "../../ui/Toast/toast.ts";
import { lazily } from "../../ui/lazily.ts";

const ConfirmDialog = lazily(() => import("../../ui/Dialog/ConfirmDialog.tsx"), "ConfirmDialog");

/** Let a dashboard count another environment, for everybody. A published one asks first: its page is for strangers. */
export function useBoardEnvironment(dashboard: Dashboard): { choose: (environment: string) => void; dialog: ReactNode } {
  const queryClient = useQueryClient();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [target, setTarget] = useState<string | null>(null);
  const before = dashboard.environment;
  const { mutate, isPending } = useMutation({
    mutationFn: (environment: string) => changeDashboard(dashboard.id, { environment }),
    onSuccess: async (savedDashboard) => {
      queryClient.setQueryData(dashboardQuery(dashboard.id).queryKey, savedDashboard);
      setTarget(null);
      const undo = savedDashboard.environment === before ? {} : { action: { label: "Undo", onAct: () => mutate(before) } };
      toast({ text: `“${savedDashboard.name}” counts ${environmentLabel(environments, savedDashboard.environment)}, for everybody.`, ...undo });
      await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
    },
    onError: sayFailure,
  });
  const label = target === null ? "" : environmentLabel(environments, target);
  return {
    choose: dashboard.isPublic ? setTarget : mutate,
    dialog:
      target === null ? null : (
        <Suspense>
          <ConfirmDialog
            title={`Count ${label}`}
            detail={`“${dashboard.name}” is published: whoever has its link sees the numbers of ${label} from then on.`}
            confirm={`Count ${label}`}
            busy={isPending}
            onConfirm={() => mutate(target)}
            onClose={() => setTarget(null)}
          />
        </Suspense>
      ),
  };
}
