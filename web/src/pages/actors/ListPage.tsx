import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { identityQuery } from "../../api/auth.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { FilterBar } from "../../scope/FilterBar.tsx";
import { SearchField } from "../../scope/SearchField.tsx";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useScope } from "../../scope/useScope.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { ActorList } from "./ActorList.tsx";
import styles from "./ListPage.module.css";

const route = getRouteApi("/member/actors");

/** Who sent the events: all of them, or those that match. */
export function ListPage() {
  const scope = useScope();
  const { q = "" } = route.useSearch();
  const { data: identity } = useQuery(identityQuery);
  const timezone = identity?.workspace.timezone ?? "UTC";
  return (
    <Page
      title="Actors"
      tools={
        <>
          <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} />
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
        </>
      }
    >
      <div className={styles.bar}>
        <SearchField label="Label or key" q={q} />
        <FilterBar scope={scope} />
      </div>
      <ActorList scope={scope} q={q} timezone={timezone} />
    </Page>
  );
}
