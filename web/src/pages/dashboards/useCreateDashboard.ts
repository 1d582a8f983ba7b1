import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createDashboard, dashboardsQuery } from "../../api/dashboards.ts";
import { groupKeysQuery } from "../../api/groups.ts";
import { namesQuery } from "../../api/names.ts";
import { addWidget } from "../../api/widgets.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { NEW_NAME } from "./newName.ts";
import type { Template, TemplateFacts } from "./templates.ts";

/**
 * Make a dashboard from a template and open it.
 *
 * @param environment - whose events the template's widgets count.
 * @param firstEvent - the event that the dashboard is about, if somebody came from one.
 */
export function useCreateDashboard(environment: string, firstEvent: string | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const loadFacts = async (): Promise<TemplateFacts> => {
    const [names, keys] = await Promise.all([
      queryClient.query(namesQuery(environment)),
      queryClient.query(groupKeysQuery(environment)).then(({ keys: groupKeys }) => groupKeys).catch(() => []), // not part of this plan
    ]);
    const events = names.events.map(({ name }) => name);
    const otherEvents = events.filter((name) => name !== firstEvent);
    return { events: firstEvent === undefined ? events : [firstEvent, ...otherEvents], hasGroups: keys.length > 0 };
  };
  const createFromTemplate = async (template: Template) => {
    const widgets = template.widgets(await loadFacts());
    const name = template.name === "Blank" ? NEW_NAME : template.name;
    const dashboard = await createDashboard({ name, environment });
    // One after the other: the order of the requests is the order of the cards.
    for (const widget of widgets) await addWidget(dashboard.id, widget);
    await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
    // The pages after it show the same events.
    const search = { env: environment, ...(widgets.length === 0 ? { edit: "1" as const } : {}) };
    await navigate({ to: "/d/$id", params: { id: dashboard.id }, search });
  };
  const create = (template: Template) => {
    setIsCreating(true);
    createFromTemplate(template)
      .catch(sayFailure)
      .finally(() => setIsCreating(false));
  };
  return { create, isCreating };
}
