import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type BotRecord, botQuery, chooseCounterSource } from "../../api/bots.ts";
import { errorInLine } from "../../api/words.ts";
import { formatAgo, dateTime } from "../../core/time.ts";
import { FormError } from "../../ui/Field/FormError.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./FedBot.module.css";
import { NotListed } from "./NotListed.tsx";
import { WebhookSecret } from "./WebhookSecret.tsx";

/** When a bot was last fed, where its counters of votes come from, and whether its list signs webhooks. */
export function FedBot({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const { data: bot, error, refetch } = useQuery(botQuery(id));
  const now = useNow();
  if (!bot) return error ? <NotListed error={error} onRetry={() => void refetch()} /> : <Skeleton height={160} />;
  return (
    <>
      <dl className={styles.facts}>
        <dt>Last fed</dt>
        <dd>
          <time dateTime={bot.timestamp} title={dateTime(bot.timestamp, "UTC")}>
            {formatAgo(bot.timestamp, now)}
          </time>
        </dd>
        <dt>Page</dt>
        <dd>
          <Link to="/bots/$botId" params={{ botId: id }}>
            {bot.name}
          </Link>
        </dd>
        <dt>Vote counters</dt>
        <dd>{bot.counter_source === "votes" ? "counted from the votes received here" : "as posted"}</dd>
      </dl>
      {mayWrite ? <CounterSource bot={bot} /> : null}
      <WebhookSecret botId={id} mayWrite={mayWrite} />
    </>
  );
}

function CounterSource({ bot: { id, counter_source } }: { bot: BotRecord }) {
  const queryClient = useQueryClient();
  const chooseSource = useMutation({
    mutationFn: (isCountedFromVotes: boolean) => chooseCounterSource(id, isCountedFromVotes ? "votes" : "posted"),
    onSuccess: (bot) => {
      queryClient.setQueryData(botQuery(id).queryKey, bot);
      void queryClient.invalidateQueries({ queryKey: ["/v1/statistics/rankings/bots"] });
    },
  });
  const isCountedFromVotes = chooseSource.isPending ? chooseSource.variables : counter_source === "votes";
  return (
    <>
      <SwitchField
        label="Count votes received here"
        hint="When off, posted counters are used. History doesn't change."
        checked={isCountedFromVotes}
        onChange={(isChecked) => chooseSource.mutate(isChecked)}
      />
      <FormError text={chooseSource.error ? errorInLine(chooseSource.error) : null} />
    </>
  );
}
