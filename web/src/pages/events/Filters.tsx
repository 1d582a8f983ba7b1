import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { EventSelection } from "../../api/events.ts";
import { questionQuery } from "../../api/widgets.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { FilterBar } from "../../scope/FilterBar.tsx";
import type { Scope } from "../../scope/useScope.ts";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { Chip } from "../../ui/Chip/Chip.tsx";
import styles from "./Filters.module.css";
import { countQuestion, isNarrowed } from "./questions.ts";

const route = getRouteApi("/member/events");

export interface FiltersProps {
  scope: Scope;
  selection: EventSelection;
  name: string | undefined;
  isReady: boolean;
}

/** What the list is narrowed to, and how many events that leaves. */
export function Filters({ scope, selection, name, isReady }: FiltersProps) {
  const navigate = route.useNavigate();
  const removeName = () => void navigate({ search: ({ name: _name, ...rest }) => rest });
  return (
    <div className={styles.line}>
      {name === undefined ? null : <Chip label={`name is ${name}`} parts={["name", "is", name]} onRemove={removeName} />}
      <FilterBar scope={scope} />
      <MatchCount scope={scope} selection={selection} isReady={isReady} />
      <span className={styles.curl}>
        <CopyCurl
          request={{ path: "/v1/events", query: { ...selection, filters: filtersOrUndefined(selection), ...scope.timeRange, limit: 200 } }}
        />
      </span>
    </div>
  );
}

const filtersOrUndefined = (selection: EventSelection) => (selection.filters.length > 0 ? selection.filters : undefined);

function MatchCount({ scope, selection, isReady }: Omit<FiltersProps, "name">) {
  const isFiltered = isNarrowed(selection);
  const { data: matchingAnswer } = useQuery({ ...questionQuery(countQuestion(selection, scope.timeRange)), enabled: isReady });
  const unfilteredSelection = { environment: scope.environment, filters: [] };
  const { data: totalAnswer } = useQuery({
    ...questionQuery(countQuestion(unfilteredSelection, scope.timeRange)),
    enabled: isReady && isFiltered,
  });
  if (matchingAnswer?.kind !== "counter" || matchingAnswer.value === null) return null;
  if (!isFiltered) return <p className={styles.count}>{countInWords(matchingAnswer.value, "event")}</p>;
  if (totalAnswer?.kind !== "counter") return null;
  return (
    <p className={styles.count}>
      {formatExact(matchingAnswer.value)} of {formatExact(totalAnswer.value)} match
    </p>
  );
}
