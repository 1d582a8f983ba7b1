import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { eraseActor } from "../../api/actors.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { errorInLine } from "../../api/words.ts";
import { countInWords } from "../../core/numbers.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** What a developer may do with an actor: erase them. */
export function ActorMenu({ environment, actorKey, name }: { environment: string; actorKey: string; name: string }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const erase = useMutation({
    mutationFn: () => eraseActor(environment, actorKey),
    onSuccess: async ({ erased }) => {
      await navigate({ to: "/actors" });
      await forgetAnswers(queryClient);
      toast({ text: `Erased ${countInWords(erased, "event")} of ${name}.` });
    },
  });
  return (
    <>
      <Menu label="Actor menu" items={[{ label: "Erase actor", icon: Trash2, danger: true, onSelect: () => setIsConfirming(true) }]} />
      {isConfirming ? (
        <ConfirmDialog
          title={`Erase ${name}`}
          detail={`This permanently deletes all their events in ${environment} and their label. Counts and charts will change. Later events start a new history.`}
          confirm="Erase"
          requiredWord={actorKey.trim()}
          busy={erase.isPending}
          error={erase.error ? errorInLine(erase.error) : null}
          onConfirm={() => erase.mutate()}
          onClose={() => setIsConfirming(false)}
        />
      ) : null}
    </>
  );
}
