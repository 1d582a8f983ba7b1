import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { identityQuery } from "../../api/auth.ts";
import { ApiError } from "../../api/errors.ts";
import { groupKeysQuery, groupQuery } from "../../api/groups.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { keyFromAddress } from "../../scope/keyLinks.ts";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useScope } from "../../scope/useScope.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { NotSeen } from "../../widgets/NotSeen.tsx";
import { GroupProfile } from "./GroupProfile.tsx";
import { PlanPage } from "./PlanPage.tsx";

const route = getRouteApi("/member/groups/$groupKey");

/** One group: how busy, since when, who is in it, and what happened last. */
export function DetailPage() {
  const scope = useScope();
  const { propKey, key } = route.useSearch();
  const groupKey = keyFromAddress(route.useParams().groupKey, key);
  const { data: identity } = useQuery(identityQuery);
  const { data: groupKeys } = useQuery(groupKeysQuery(scope.environment));
  const groupOptions = groupQuery(scope.environment, scope.timeRange, propKey, groupKey);
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...groupOptions, placeholderData: placeholderFor(groupOptions.queryKey) });
  const timezone = identity?.workspace.timezone ?? "UTC";
  const usedPropKey = data?.propKey ?? propKey;
  const groupKind = groupKeys?.keys.find((entry) => (usedPropKey === undefined ? entry.isDefault : entry.propKey === usedPropKey));
  const status = error instanceof ApiError ? error.status : 0;
  return (
    <Page
      title={groupKey}
      crumbs={
        <>
          <Link to="/groups">Groups</Link>
          {groupKind ? (
            <Link to="/groups" search={{ propKey: groupKind.propKey }}>
              {groupKind.label}
            </Link>
          ) : null}
        </>
      }
      tools={
        <>
          <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} />
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
        </>
      }
    >
      {status === 402 ? (
        <PlanPage workspaceName={identity?.workspace.name ?? ""} />
      ) : status === 404 ? (
        <NotSeen name={groupKey} scope={scope} timezone={timezone} />
      ) : data ? (
        <div aria-busy={isPlaceholderData || undefined}>
          <GroupProfile group={data} kindLabel={groupKind?.label ?? data.propKey} scope={scope} timezone={timezone} />
        </div>
      ) : error ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={400} />
      )}
    </Page>
  );
}
