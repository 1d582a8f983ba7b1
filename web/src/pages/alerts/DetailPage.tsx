import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { alertChannelsQuery } from "../../api/alertChannels.ts";
import { alertQuery } from "../../api/alerts.ts";
import { ApiError } from "../../api/errors.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { useEndOfDrafts } from "../../scope/work/useWork.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { AlertEditor } from "./AlertEditor.tsx";
import { AlertReading } from "./AlertReading.tsx";
import { draftOf } from "./draft.ts";

const route = getRouteApi("/member/alerts/$alertId");
const memberRoute = getRouteApi("/member");
/** How often the status of an open alert is asked for, in milliseconds. */
const STATUS_REFETCH_MS = 10_000;

/** One alert, where the link in its messages leads: for developers its editor, for others the same to read. */
export function DetailPage() {
  const { identity } = memberRoute.useRouteContext();
  const { alertId } = route.useParams();
  const { data: alert, error, refetch } = useQuery({
    ...alertQuery(alertId),
    refetchInterval: ({ state }) => (state.data === undefined ? false : STATUS_REFETCH_MS),
  });
  // The page says what has not reached a channel, above everything else.
  const { isPending: areChannelsPending } = useQuery(alertChannelsQuery);
  const { timezone } = identity.workspace;
  const isNotFound = error instanceof ApiError && error.status === 404;
  useEndOfDrafts(alertId, isNotFound && !alert);
  if (alert && !areChannelsPending) {
    return mayAct(identity.role, "developer") ? (
      <AlertEditor key={alertId} alert={alert} subject={`alert ${alertId}`} initialDraft={draftOf(alert)} timezone={timezone} />
    ) : (
      <AlertReading alert={alert} timezone={timezone} />
    );
  }
  return (
    <Page title={isNotFound ? "Nothing here" : "Alert"} crumbs={<Link to="/alerts">Alerts</Link>}>
      {isNotFound ? (
        <State
          strokes={4}
          title="Nothing here"
          detail="This alert was deleted, or it belongs to another workspace."
          action={<Link to="/alerts">Go to alerts</Link>}
        />
      ) : error ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </Page>
  );
}
