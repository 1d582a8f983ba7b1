import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { botQuery, botSearchQuery, rankingsQuery } from "../api/bots.ts";
import { placeholderFor } from "../api/placeholders.ts";
import { isBotId } from "../core/bots.ts";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import type { Judge } from "../ui/Combobox/typedText.ts";

export interface BotPickerProps {
  label: string;
  hideLabel?: boolean;
  hint?: string;
  /** The id of the chosen bot; "" for none. */
  value: string;
  onPick: (id: string) => void;
}

const RANKING_ROWS = 100;
/** An id counts without its bot: its counters may come later. */
const botIdJudge: Judge = (text) => (isBotId(text) ? "taken" : { refusal: `No bot is named “${text}”. IDs have 17 to 19 digits.` });

/** Find a bot by its name or id: the first of the ranking to begin with, then what the listing has for the text. */
export function BotPicker({ label, hideLabel = false, hint, value, onPick }: BotPickerProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const searchText = useDeferredValue((draft ?? "").trim());
  const { data: topRanking } = useQuery(rankingsQuery("monthly_votes", false, 0, RANKING_ROWS));
  const search = botSearchQuery(searchText);
  const { data: searchMatches } = useQuery({ ...search, enabled: searchText !== "", placeholderData: placeholderFor(search.queryKey) });
  const { data: bot } = useQuery({ ...botQuery(value), enabled: value !== "" });
  const bots = [...(topRanking?.data ?? []), ...(searchMatches?.bots ?? []), ...(bot ? [bot] : [])];
  const nameById = new Map(bots.map(({ id, name }) => [id, name]));
  return (
    <Combobox
      label={label}
      hideLabel={hideLabel}
      hint={hint}
      placeholder="Name or ID"
      icon={Search}
      value={value}
      onChange={onPick}
      textJudge={botIdJudge}
      onType={setDraft}
      options={[...nameById].map(([id, name]) => ({ value: id, label: name, detail: id }))}
    />
  );
}
