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
  ready: boolean;
}

/** What the list is narrowed to, and how many events that leaves. */
export function Filters({ scope, selection, name, ready }: FiltersProps) {
  const navigate = route.useNavigate();
  const removeName = () => void navigate({ search: ({ name: _name, ...rest }) => rest });
  return (
    <div className={styles.line}>
      {name === undefined ? null : <Chip label={`name is ${name}`} parts={["name", "is", name]} onRemove={removeName} />}
      <FilterBar scope={scope} />
      <Matches scope={scope} selection={selection} ready={ready} />
      <span className={styles.curl}>
        <CopyCurl request={{ path: "/v1/events", query: { ...selection, filters: filters(selection), ...scope.timeRange, limit: 200 } }} />
      </span>
    </div>
  );
}

const filters = (selection: EventSelection) => (selection.filters.length > 0 ? selection.filters : undefined);

function Matches({ scope, selection, ready }: Omit<FiltersProps, "name">) {
  const isFiltered = isNarrowed(selection);
  const { data: matching } = useQuery({ ...questionQuery(countQuestion(selection, scope.timeRange)), enabled: ready });
  const all = { environment: scope.environment, filters: [] };
  const { data: total } = useQuery({ ...questionQuery(countQuestion(all, scope.timeRange)), enabled: ready && isFiltered });
  if (matching?.kind !== "counter" || matching.value === null) return null;
  if (!isFiltered) return <p className={styles.count}>{countInWords(matching.value, "event")}</p>;
  if (total?.kind !== "counter") return null;
  return (
    <p className={styles.count}>
      {formatExact(matching.value)} of {formatExact(total.value)} match
    </p>
  );
}
