import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { externalSourcesQuery } from "../../api/externalSources.ts";
import { groupKeysQuery } from "../../api/groups.ts";
import { namesQuery } from "../../api/names.ts";
import { segmentsQuery } from "../../api/segments.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { definitionOf } from "../../widgets/registry.ts";
import { type Draft, configOf } from "./draft.ts";
import { useEventPictures } from "./useEventPictures.tsx";

export interface KindFormProps {
  draft: Draft;
  environment: string;
  timeRange: TimeRange;
  timeRangeToken: ReactNode;
  /** Somebody is about to choose: names get pictures. */
  hasFocus: boolean;
  onChange: (config: object) => void;
}

/** The form of a draft's kind, with the names that exist in the environment. */
export function KindForm({ draft, environment, timeRange, timeRangeToken, hasFocus, onChange }: KindFormProps) {
  const { data: names } = useQuery(namesQuery(environment));
  const { data: segments = [] } = useQuery(segmentsQuery);
  const { data: groupKeyAnswer } = useQuery(groupKeysQuery(environment));
  const { data: sources = [] } = useQuery(externalSourcesQuery);
  const eventPictures = useEventPictures(environment, timeRange, hasFocus);
  const definition = definitionOf(draft.kind);
  if (!definition) return null;
  const { Form } = definition;
  const { events = [], properties = [] } = names ?? {};
  const formNames = { environment, areKnown: names !== undefined, events, eventPictures, properties, groupKeys: groupKeyAnswer?.keys ?? [], segments, sources };
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <Form key={draft.kind} config={configOf(draft)} onChange={onChange} names={formNames} timeRangeToken={timeRangeToken} />
    </Suspense>
  );
}
