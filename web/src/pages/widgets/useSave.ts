import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Dashboard, dashboardQuery } from "../../api/dashboards.ts";
import { entryWithId } from "../../api/entries.ts";
import { NOW } from "../../api/queries.ts";
import { type Widget, addWidget, changeWidget, previewQuestion, questionQuery } from "../../api/widgets.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import type { Work } from "../../scope/work/useWork.ts";
import { withColors } from "../../widgets/savedColors.ts";
import { type Draft, configOf, draftOf } from "./draft.ts";

/** Save what somebody has done with the colors that its preview shows: under an id as a change, without one as a new widget. */
export function useSave(dashboard: Dashboard, work: Work<Draft>, timeRange: TimeRange) {
  const queryClient = useQueryClient();
  const query = dashboardQuery(dashboard.id);
  const loadDraft = (id: string) => async () => {
    const { widgets } = await queryClient.query({ ...query, ...NOW });
    return draftOf(entryWithId(widgets, id));
  };
  return useMutation({
    mutationFn: async (id: string | undefined): Promise<Widget> => {
      const { kind: type, title, layout, ignoreDashboardFilters } = work.value;
      const publishRows = type === "table" && work.value.publishRows;
      const question = previewQuestion(dashboard.environment, type, configOf(work.value), timeRange);
      const config = withColors(configOf(work.value), queryClient.getQueryData(questionQuery(question).queryKey));
      const fields = { type, title, config: config as Widget["config"], ignoreDashboardFilters, publishRows };
      if (id === undefined) return addWidget(dashboard.id, { ...fields, layout });
      await work.checkSaved(loadDraft(id));
      return changeWidget(id, fields);
    },
    onSuccess: async () => {
      work.finish();
      await queryClient.invalidateQueries({ queryKey: query.queryKey });
    },
  });
}
