import { State } from "../States/State.tsx";
import { type NoticesProps, Suggestion } from "./Notices.tsx";

/** What stands in place of a chart of an event that never came. */
export function Unseen({ notices = [], onUseSuggestion }: Pick<NoticesProps, "notices" | "onUseSuggestion">) {
  const suggestions = onUseSuggestion ? notices.filter(({ suggestion }) => suggestion !== undefined) : [];
  return (
    <State
      title="No such event"
      detail={notices.map(({ message }) => message).join(" ")}
      action={suggestions.length > 0 ? suggestions.map((notice) => <Suggestion key={notice.message} notice={notice} onUseSuggestion={onUseSuggestion} />) : null}
    />
  );
}
