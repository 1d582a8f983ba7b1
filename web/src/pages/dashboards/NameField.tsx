import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Dashboard, changeDashboard, dashboardQuery, dashboardsQuery } from "../../api/dashboards.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import styles from "./NameField.module.css";
import { isUnnamed } from "./newName.ts";

/** The name of a dashboard as a field, in place of its title: Enter and going on save it, Escape puts it back. */
export function NameField({ dashboard }: { dashboard: Dashboard }) {
  const fieldRef = useRef<HTMLInputElement>(null);
  /** What is typed and not saved; null while the name is as it is saved. */
  const [text, setText] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (name: string) => changeDashboard(dashboard.id, { name }),
    onSuccess: async (savedDashboard, name) => {
      queryClient.setQueryData(dashboardQuery(dashboard.id).queryKey, savedDashboard);
      setText((current) => (current?.trim() === name ? null : current));
      await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
    },
    onError: sayFailure,
  });
  const isNew = isUnnamed(dashboard);
  useEffect(() => {
    if (isNew) fieldRef.current?.select();
  }, [isNew]);
  const save = () => {
    const name = text?.trim() ?? "";
    if (name === "" || name === dashboard.name) setText(null);
    else if (!isPending || name !== variables) mutate(name);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the key is for the input method
    if (event.key === "Enter") save();
    else if (event.key === "Escape" && text !== null) setText(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <input
      ref={fieldRef}
      className={styles.name}
      aria-label="Dashboard name"
      autoComplete="off"
      maxLength={120}
      value={text ?? dashboard.name}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={handleKey}
      onBlur={save}
    />
  );
}
