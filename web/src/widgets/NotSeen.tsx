import { type RangeName, type Span, rangeInWords } from "../core/spans.ts";
import { spanInWords } from "../scope/days.ts";
import type { Scope } from "../scope/useScope.ts";
import { Button } from "../ui/Button/Button.tsx";
import { State } from "../ui/States/State.tsx";

const LONGER: RangeName[] = ["7d", "30d", "90d", "all"];

export interface NotSeenProps {
  /** Who has no events: "mira", "Lofi Lounge". */
  name: string;
  scope: Scope;
  timezone: string;
}

/** There are no events of somebody within the span: longer ones stand ready. */
export function NotSeen({ name, scope, timezone }: NotSeenProps) {
  const longer = LONGER.slice(placeOf(scope.span) + 1);
  const words = spanInWords(scope.span, timezone);
  return (
    <State
      strokes={4}
      title={/^\d+ (hour|day)/.test(words) ? `No events in ${words}` : `No events: ${words.toLowerCase()}`}
      detail={`“${name}” has none in ${scope.environment} within this span.${longer.length > 0 ? " A longer one may have them." : ""}`}
      action={longer.map((range) => (
        <Button key={range} onClick={() => scope.setSpan({ timeRange: range })}>
          Show {rangeInWords(range).toLowerCase()}
        </Button>
      ))}
    />
  );
}

/** Return the place of a span among the longer ones; -1 if all of them may be longer. */
function placeOf(span: Span): number {
  return "timeRange" in span ? LONGER.indexOf(span.timeRange) : -1;
}
