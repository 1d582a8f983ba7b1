import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { identityQuery } from "../../api/auth.ts";
import { dashboardQuery } from "../../api/dashboards.ts";
import { namesQuery } from "../../api/names.ts";
import { segmentsQuery } from "../../api/segments.ts";
import type { Widget } from "../../api/widgets.ts";
import { mayAct } from "../../core/roles.ts";
import { useMarkedEnvironment } from "../../scope/useMarkedEnvironment.ts";
import { useEndOfDrafts } from "../../scope/work/useWork.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { State } from "../../ui/States/State.tsx";
import type { Definition, Kind } from "../../widgets/definition.ts";
import { anotherEvent, numberChoices } from "../../widgets/names.ts";
import { definitionOf } from "../../widgets/registry.ts";
import { Editor } from "./Editor.tsx";
import { draftOf, newDraft } from "./draft.ts";

const route = getRouteApi("/member/d/$id/w/$widgetId");
const DEFAULT_KIND = "metric";

/** The editor of one widget, or with the id `new` of one that is made here. */
export function EditorPage() {
  const { id, widgetId } = route.useParams();
  const { kind = DEFAULT_KIND } = route.useSearch();
  const { data: dashboard } = useSuspenseQuery(dashboardQuery(id));
  const { data: names } = useSuspenseQuery(namesQuery(dashboard.environment));
  const { data: identity } = useSuspenseQuery(identityQuery);
  const [addedCount, setAddedCount] = useState(0);
  useMarkedEnvironment(dashboard.environment);
  useEffect(() => {
    if (addedCount > 0) document.querySelector("h1")?.focus();
  }, [addedCount]);
  const start = {
    event: names.events[0]?.name ?? "",
    nextEvent: anotherEvent(names, names.events.slice(0, 1).map(({ name }) => ({ event: name }))),
    numberProperty: numberChoices(names)[0]?.value ?? "",
  };
  const widget = useLastSeen(dashboard.widgets, widgetId);
  useEndOfDrafts(widgetId, widgetId !== "new" && !widget);
  const definition = definitionOf(widget?.type ?? kind) ?? definitionOf(DEFAULT_KIND);
  useSuspenseQuery(formQuery(definition));
  useSuspenseQuery(segmentsQuery);
  const crumbs = (
    <>
      <Link to="/dashboards">Dashboards</Link>
      <Link to="/d/$id" params={{ id }}>
        {dashboard.name}
      </Link>
    </>
  );
  if (!identity || !mayAct(identity.role, "developer")) {
    return (
      <Page title="Edit widget" crumbs={crumbs}>
        <State title="You need the Developer role" detail="Ask an admin to change your role." />
      </Page>
    );
  }
  if (!definition || (widgetId !== "new" && !widget)) {
    return (
      <Page title="Nothing here" crumbs={crumbs}>
        <State strokes={4} title="Nothing here" detail="This dashboard doesn't have this widget." />
      </Page>
    );
  }
  return (
    <Editor
      key={`${widgetId} ${kind} ${addedCount}`}
      dashboard={dashboard}
      widget={widget}
      initialDraft={widget ? draftOf(widget) : newDraft(definition, start)}
      start={start}
      crumbs={crumbs}
      timezone={identity.workspace.timezone}
      onAddAnother={({ title }) => {
        toast({ text: title ? `Added “${title}”` : "Widget added" });
        setAddedCount(addedCount + 1);
      }}
    />
  );
}

/** The form of a kind: what is above the answer is as high as it will be before the answer is there (rules/boards#nothing-moves). */
const formQuery = (definition: Definition<Kind> | undefined) =>
  queryOptions({
    queryKey: ["form of a widget", definition?.kind],
    queryFn: async () => {
      await definition?.Form.load();
      return null;
    },
    staleTime: Infinity,
  });

/** Return a widget as it is saved, or as it was before somebody deleted it: whoever edits it can save a copy. */
function useLastSeen(widgets: readonly Widget[], id: string): Widget | undefined {
  const savedWidget = widgets.find((candidate) => candidate.id === id);
  const [lastWidget, setLastWidget] = useState(savedWidget);
  if (savedWidget && savedWidget !== lastWidget) setLastWidget(savedWidget);
  return savedWidget ?? (lastWidget?.id === id ? lastWidget : undefined);
}
