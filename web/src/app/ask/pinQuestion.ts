import type { QueryClient } from "@tanstack/react-query";
import { createDashboard, dashboardQuery, dashboardsQuery } from "../../api/dashboards.ts";
import { type Widget, type WidgetFields, addWidget, previewQuestion, questionQuery } from "../../api/widgets.ts";
import { titleOf } from "../../widgets/registry.ts";
import { withColors } from "../../widgets/savedColors.ts";
import { sizeOf } from "../../widgets/sizeOf.ts";
import type { WholeQuestion } from "./useReading.ts";

/** Add a question to a dashboard as a widget, which keeps the colors of its answer. */
export async function pinQuestion(queryClient: QueryClient, question: WholeQuestion, dashboardId: string): Promise<Widget> {
  const widget = await addWidget(dashboardId, widgetFieldsOf(queryClient, question));
  await queryClient.invalidateQueries({ queryKey: dashboardQuery(dashboardId).queryKey });
  return widget;
}

/** Make a dashboard for a question, which has its title, its environment and its time range; return its widget. */
export async function pinToNewDashboard(queryClient: QueryClient, question: WholeQuestion): Promise<Widget> {
  const { environment, timeRange } = question;
  const fields = widgetFieldsOf(queryClient, question);
  const { id } = await createDashboard({ name: fields.title ?? "", environment, ...("timeRange" in timeRange ? timeRange : {}) });
  const widget = await addWidget(id, fields);
  await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
  return widget;
}

function widgetFieldsOf(queryClient: QueryClient, { kind: type, config, environment, timeRange }: WholeQuestion): WidgetFields {
  const answer = queryClient.getQueryData(questionQuery(previewQuestion(environment, type, config, timeRange)).queryKey);
  const title = titleOf({ title: "", type, config });
  return { type, title, config: withColors(config, answer), layout: sizeOf(type) };
}
