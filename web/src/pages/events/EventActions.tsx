import { useMutation, useQueryClient } from "@tanstack/react-query";
import { EyeOff, Flag, ListFilter } from "lucide-react";
import { type Event, hideEvent, showEvent } from "../../api/events.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { errorInLine } from "../../api/words.ts";
import { filterInWords } from "../../scope/filters.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { useAnnotate } from "../../widgets/useAnnotate.tsx";
import styles from "./EventActions.module.css";
import { valueFilters, withFilter } from "./valueFilters.ts";

export interface EventActionsProps {
  event: Event;
  scope: Scope;
  onClose: () => void;
  mayWrite: boolean;
  onHidden: (id: string) => void;
  onShown: () => void;
}

/** Narrow the list to events like this one, mark its moment on the charts, or hide it. */
export function EventActions({ event, scope, mayWrite, ...handlers }: EventActionsProps) {
  const filterItems = valueFilters(event).map((filter) => ({
    label: filterInWords(filter),
    onSelect: () => scope.setFilters(withFilter(scope.filters, filter)),
  }));
  return (
    <footer className={styles.actions}>
      <Menu
        label="Filter by this value"
        align="start"
        items={filterItems}
        trigger={
          <Button small icon={ListFilter}>Filter by this value</Button>
        }
      />
      {mayWrite ? (
        <>
          <AnnotateButton environment={scope.environment} timestamp={event.timestamp} />
          <HideButton id={event.id} {...handlers} />
        </>
      ) : null}
    </footer>
  );
}

/** Mark the moment of an event on every chart over time. */
function AnnotateButton({ environment, timestamp }: { environment: string; timestamp: string }) {
  const annotate = useAnnotate(environment, true);
  return (
    <>
      <Button small icon={Flag} onClick={() => annotate.openDialog?.(timestamp)}>Annotate</Button>
      {annotate.dialog}
    </>
  );
}

type HideButtonProps = Pick<EventActionsProps, "onClose" | "onHidden" | "onShown"> & { id: string };

function HideButton({ id, onClose, onHidden, onShown }: HideButtonProps) {
  const queryClient = useQueryClient();
  const refresh = () => void forgetAnswers(queryClient, { queryKey: ["/v1/query"] });
  const showError = (error: unknown) => toast({ text: errorInLine(error), tone: "error" });
  const showAgain = async () => {
    try {
      await showEvent(id);
      onShown();
      refresh();
      toast({ text: "Event no longer hidden." });
    } catch (error) {
      showError(error);
    }
  };
  const hide = useMutation({
    mutationFn: () => hideEvent(id),
    onSuccess: () => {
      onHidden(id);
      onClose();
      refresh();
      toast({ text: "Event hidden. It no longer appears in charts, lists or exports.", action: { label: "Undo", onAct: () => void showAgain() } });
    },
    onError: showError,
  });
  return (
    <Button small variant="danger" icon={EyeOff} busy={hide.isPending} onClick={() => hide.mutate()}>
      Hide event
    </Button>
  );
}
