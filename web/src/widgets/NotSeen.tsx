import { longerRangesThan, rangeInWords } from "../core/timeRanges.ts";
import { ElsewhereState } from "../scope/ElsewhereState.tsx";
import { timeRangeInWords } from "../scope/days.ts";
import { useElsewhere } from "../scope/useElsewhere.ts";
import type { Scope } from "../scope/useScope.ts";
import { Button } from "../ui/Button/Button.tsx";
import { State } from "../ui/States/State.tsx";

export interface NotSeenProps {
  /** Who has no events: "mira", "Lofi Lounge". */
  name: string;
  scope: Scope;
  timezone: string;
}

/** There are no events of somebody within the time range: longer ones stand ready. */
export function NotSeen({ name, scope, timezone }: NotSeenProps) {
  const elsewhere = useElsewhere(scope.environment, true);
  if (elsewhere) return <ElsewhereState kindName="event" scope={scope} elsewhere={elsewhere} />;
  const longerRanges = longerRangesThan(scope.timeRange);
  const rangeWords = timeRangeInWords(scope.timeRange, timezone);
  return (
    <State
      strokes={4}
      title={`No events in ${/^\d+ (hour|day)/.test(rangeWords) ? rangeWords : "this time range"}`}
      detail={`“${name}” has none in ${scope.environment}.${longerRanges.length > 0 ? " Try a longer time range." : ""}`}
      action={longerRanges.map((range) => (
        <Button key={range} onClick={() => scope.setTimeRange({ timeRange: range })}>
          Show {rangeInWords(range).toLowerCase()}
        </Button>
      ))}
    />
  );
}
