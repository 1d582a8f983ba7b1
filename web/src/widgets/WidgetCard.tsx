import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Table2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api/errors.ts";
import { placeholderFor } from "../api/placeholders.ts";
import { type WidgetQuery, widgetQuery } from "../api/widgets.ts";
import { errorInWords } from "../api/words.ts";
import { saveCsv } from "../core/files.ts";
import { isKeyAlone, isTypedInField } from "../core/keys.ts";
import { readStored } from "../core/storage.ts";
import { formatClock } from "../core/time.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Card } from "../ui/Card/Card.tsx";
import { Menu, type MenuItem } from "../ui/Menu/Menu.tsx";
import { ErrorState } from "../ui/States/ErrorState.tsx";
import { WidgetBody } from "./WidgetBody.tsx";
import { WaitingBody } from "./WaitingBody.tsx";
import { cardNote } from "./cardNote.ts";
import type { Remedy } from "./emptyAnswers.ts";
import { useDashboardContext } from "./DashboardContext.ts";
import type { Result, ShownWidget } from "./definition.ts";
import { definitionOf, outlineOf, titleOf } from "./registry.ts";
import { useLoadTurn } from "./loadOrder.tsx";
import styles from "./WidgetCard.module.css";

export interface WidgetCardProps {
  widget: ShownWidget;
  /** Asks for the answer: private and public pages ask differently. */
  query: WidgetQuery;
  /** After how many milliseconds the answer is asked for again; absent for never. */
  refreshMs?: number;
  /** Says what is counted, beside the title, where the config does not tell it. */
  noteOf?: (answer: Result) => string;
  /** Entries of the card's menu, besides those that every card has. */
  menu?: MenuItem[];
  /** Tools of the arranging page, in place of the menu. */
  tools?: ReactNode;
  /** What the card is moved by, on the arranging page. */
  handle?: ReactNode;
  /** May fill the card when there is nothing to show. */
  remedy?: Remedy | undefined;
}

/** The frame of every widget: its title, its menu, and one of four states: loading, an answer, an error, a table. */
export function WidgetCard({ widget, query, refreshMs, noteOf, menu = [], tools, handle, remedy }: WidgetCardProps) {
  const { timezone } = useDashboardContext();
  const [asTable, setAsTable] = useState(false);
  const { frameRef, mayAsk, endTurn } = useLoadTurn();
  const queryClient = useQueryClient();
  const definition = definitionOf(widget.type);
  const { data, error, isFetching, isPending, refetch } = useQuery({
    ...widgetQuery(query),
    enabled: mayAsk,
    refetchInterval: refreshMs ?? false,
    placeholderData: definition?.knownAnswer?.(widget.config as never) ?? placeholderFor(query.queryKey),
  });
  useEffect(() => {
    if (mayAsk && !isFetching) endTurn();
  }, [mayAsk, isFetching, endTurn]);
  // Its script is on its way together with its answer.
  useEffect(() => {
    if (mayAsk) void definition?.View.load?.();
  }, [mayAsk, definition]);
  const note = data && definition ? (noteOf?.(data) ?? cardNote(widget, data)) : "";
  const cancelQuery = () => void queryClient.cancelQueries({ queryKey: query.queryKey });
  const title = titleOf(widget);
  const saveAsCsv = () => {
    if (!data || !definition) return;
    const table = definition.table(data, widget.config, timezone);
    void import("./csv.ts").then(({ csvOf }) => saveCsv(csvOf(table), `${title}.csv`), reportError);
  };
  const toggleTable = () => setAsTable(!asTable);
  useTableKey(widget.id, toggleTable);
  const menuItems: MenuItem[] = [
    ...menu,
    { label: asTable ? "View as chart" : "View as table", icon: Table2, onSelect: toggleTable },
    { label: "Save as CSV", icon: Download, disabled: !data, onSelect: saveAsCsv },
  ];
  return (
    <Card
      anchor={widget.id}
      handle={handle}
      title={title}
      note={note}
      busy={isPending}
      isStale={isFetching && !isPending}
      footer={error && data ? <StaleNote isOffline={error instanceof ApiError && error.slug === "offline"} computedAt={data.computedAt} onRetry={() => void refetch()} /> : null}
      tools={
        <>
          {data && definition?.Aside && !asTable && !tools ? (
            <span className={styles.aside}>
              <definition.Aside config={widget.config} answer={data} />
            </span>
          ) : null}
          {tools ?? <Menu label="Widget menu" items={menuItems} />}
        </>
      }
    >
      <div ref={frameRef} className={styles.body}>
        {isPending ? (
          <WaitingBody
            outline={outlineOf(widget)}
            onCancel={cancelQuery}
            isFetching={isFetching || !mayAsk}
            onRetry={() => void refetch()}
          />
        ) : error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : (
          <WidgetBody widget={widget} answer={data} asTable={asTable} remedy={remedy} />
        )}
      </div>
    </Card>
  );
}

/** An answer that could not be refreshed: how old it is, and the way to try again. */
function StaleNote({ isOffline, computedAt, onRetry }: { isOffline: boolean; computedAt: string | undefined; onRetry: () => void }) {
  const { timezone } = useDashboardContext();
  return (
    <>
      {computedAt ? `Updated at ${formatClock(computedAt, timezone)}. ` : ""}
      {isOffline ? "No connection." : "Couldn't refresh."}
      <Button small variant="quiet" onClick={onRetry}>
        Retry
      </Button>
    </>
  );
}

/** Listen for `t` on a card, which shows its answer as a table or as a chart again. The focus stays on the card. */
function useTableKey(cardId: string, toggleTable: () => void): void {
  useEffect(() => {
    const card = document.getElementById(cardId);
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== "t" || !isKeyAlone(event) || isTypedInField(event) || readStored("shortcuts") === "off") return;
      event.preventDefault();
      card?.focus();
      toggleTable();
    };
    card?.addEventListener("keydown", handleKey);
    return () => card?.removeEventListener("keydown", handleKey);
  });
}
