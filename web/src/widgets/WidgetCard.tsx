import { type UseQueryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { errorInWords } from "../api/words.ts";
import { Card } from "../ui/Card/Card.tsx";
import { Menu, type MenuItem } from "../ui/Menu/Menu.tsx";
import { ErrorState } from "../ui/States/ErrorState.tsx";
import { WidgetBody } from "./WidgetBody.tsx";
import { WaitingBody } from "./WaitingBody.tsx";
import { type Annotation, type Kind, type Result, type Spot } from "./definition.ts";
import { definitionOf } from "./registry.ts";
import styles from "./WidgetCard.module.css";

/** A widget as the API saves it, as far as a card needs it. */
export interface ShownWidget {
  id: string;
  title: string;
  type: Kind;
  config: object;
  layout: { w: number; h: number };
}

export interface WidgetCardProps {
  widget: ShownWidget;
  /** Asks for the answer: private and public pages ask differently. */
  query: UseQueryOptions<Result>;
  timezone: string;
  annotations: Annotation[];
  /** Entries of the card's menu, besides those that every card has. */
  menu?: MenuItem[];
  /** Tools of the arranging page, in place of the menu. */
  tools?: ReactNode;
  onSpot?: ((spot: Spot, words: string) => void) | undefined;
  onActor?: ((actorKey: string) => void) | undefined;
  onAnnotate?: ((t: string) => void) | undefined;
}

/** The frame of every widget: its title, its menu, and one of four states: loading, an answer, an error, a table. */
export function WidgetCard({ widget, query, menu = [], tools, ...rest }: WidgetCardProps) {
  const [asTable, setAsTable] = useState(false);
  const queryClient = useQueryClient();
  const body = useId();
  const { data, error, isFetching, isPending, refetch } = useQuery(query);
  const definition = definitionOf(widget.type);
  const note = data && definition ? definition.note(widget.config as never, data as never) : "";
  const cancel = () => void queryClient.cancelQueries({ queryKey: query.queryKey });
  const items: MenuItem[] = [
    ...menu,
    { label: asTable ? "View as chart" : "View as table", onSelect: () => setAsTable(!asTable) },
  ];
  return (
    <Card
      title={widget.title || (definition?.label ?? widget.type)}
      note={note}
      busy={isPending}
      stale={isFetching && !isPending}
      tools={tools ?? <Menu label="Widget menu" items={items} />}
    >
      <div id={body} className={styles.body}>
        {isPending ? (
          <WaitingBody onCancel={cancel} fetching={isFetching} onRetry={() => void refetch()} />
        ) : error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : data ? (
          <WidgetBody widget={widget} answer={data} asTable={asTable} {...rest} />
        ) : null}
      </div>
    </Card>
  );
}
