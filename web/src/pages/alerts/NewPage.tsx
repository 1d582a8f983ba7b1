import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { alertChannelsQuery } from "../../api/alertChannels.ts";
import { namesQuery } from "../../api/names.ts";
import { mayAct } from "../../core/roles.ts";
import { filtersOf } from "../../scope/search.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { State } from "../../ui/States/State.tsx";
import { isMeasure } from "../../widgets/words.ts";
import { AlertEditor } from "./AlertEditor.tsx";
import { onlyEnabledChannelIds } from "./channels.ts";
import { newDraft } from "./draft.ts";

const route = getRouteApi("/member/alerts/new");
const memberRoute = getRouteApi("/member");

/** The editor of an alert that is made here; the address can say what it watches at first. */
export function NewPage() {
  const { identity } = memberRoute.useRouteContext();
  const search = route.useSearch();
  const environment = search.env ?? "production";
  const { data: names } = useSuspenseQuery(namesQuery(environment));
  const { data: channels } = useSuspenseQuery(alertChannelsQuery);
  if (!mayAct(identity.role, "developer")) {
    return (
      <Page title="New alert" crumbs={<Link to="/alerts">Alerts</Link>}>
        <State title="You need the Developer role" detail="Ask an admin to change your role." />
      </Page>
    );
  }
  const { event = names.events[0]?.name ?? "", measure, property, seg } = search;
  const initialDraft = newDraft({
    environment,
    event,
    measure: measure !== undefined && isMeasure(measure) ? measure : undefined,
    property,
    filters: filtersOf(search),
    segmentId: seg,
    channelIds: onlyEnabledChannelIds(channels),
  });
  // Whoever comes from another card has another alert in mind.
  const subject = ["alert new", environment, search.event, measure, property, seg, ...(search.f ?? [])].filter(Boolean).join(" ");
  return <AlertEditor key={subject} alert={undefined} subject={subject} initialDraft={initialDraft} timezone={identity.workspace.timezone} />;
}
