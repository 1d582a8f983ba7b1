import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { actorQuery } from "../../api/actors.ts";
import { identityQuery } from "../../api/auth.ts";
import { ApiError } from "../../api/errors.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { keyFromAddress } from "../../scope/keyLinks.ts";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useScope } from "../../scope/useScope.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { NotSeen } from "../../widgets/NotSeen.tsx";
import { ActorMenu } from "./ActorMenu.tsx";
import { ActorProfile } from "./ActorProfile.tsx";

const route = getRouteApi("/member/actors/$actorKey");
const LAST_30_DAYS: TimeRange = { timeRange: "30d" };

/** One actor: who, how often, when, and what they did last. */
export function DetailPage() {
  const scope = useScope({ timeRange: LAST_30_DAYS });
  const actorKey = keyFromAddress(route.useParams().actorKey, route.useSearch().key);
  const { data: identity } = useQuery(identityQuery);
  const actorOptions = actorQuery(scope.environment, scope.timeRange, actorKey);
  const { data: actor, error, refetch, isPlaceholderData } = useQuery({
    ...actorOptions,
    placeholderData: placeholderFor(actorOptions.queryKey),
  });
  const timezone = identity?.workspace.timezone ?? "UTC";
  const mayErase = identity ? mayAct(identity.role, "developer") : false;
  const name = actor?.label ?? actorKey;
  return (
    <Page
      title={name}
      crumbs={<Link to="/actors">Actors</Link>}
      tools={
        <>
          <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} />
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
          {mayErase ? <ActorMenu environment={scope.environment} actorKey={actorKey} name={name} /> : null}
        </>
      }
    >
      {actor ? (
        <div aria-busy={isPlaceholderData || undefined}>
          <ActorProfile actor={actor} scope={scope} timezone={timezone} />
        </div>
      ) : error instanceof ApiError && error.status === 404 ? (
        <NotSeen name={actorKey} scope={scope} timezone={timezone} />
      ) : error ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={400} />
      )}
    </Page>
  );
}
