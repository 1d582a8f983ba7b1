import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Dashboard, dashboardQuery } from "../../api/dashboards.ts";
import { groupKeysQuery } from "../../api/groups.ts";
import { changeWidget } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { titleOf } from "../../widgets/registry.ts";
import styles from "./ShareDialog.module.css";
import { publicInWords } from "./publishedWords.ts";

/** What anybody sees of a dashboard once it is published, card by card, and for each table whether its rows are. */
export function Publishing({ dashboard }: { dashboard: Dashboard }) {
  const queryClient = useQueryClient();
  const { data: groupKeyAnswer } = useQuery({ ...groupKeysQuery(dashboard.environment), retry: false }); // not part of every plan
  const groupKeys = new Set(groupKeyAnswer?.keys.map(({ propKey }) => propKey));
  const rowsChange = useMutation({
    mutationFn: ({ id, publishRows }: { id: string; publishRows: boolean }) => changeWidget(id, { publishRows }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: dashboardQuery(dashboard.id).queryKey }),
  });
  return (
    <section className={styles.publishing} aria-labelledby="publishing">
      <h3 id="publishing">{dashboard.isPublic ? "What is public" : "What will be public"}</h3>
      <p className={styles.hint}>The dashboard's name, description, time range and time zone, its widgets' titles, and:</p>
      <ul className={styles.cards}>
        {dashboard.widgets.map((widget) => {
          const title = titleOf(widget);
          const publishState = rowsChange.isPending && rowsChange.variables.id === widget.id ? rowsChange.variables : widget;
          return (
            <li key={widget.id}>
              <strong>{title}</strong> {publicInWords({ ...widget, publishRows: publishState.publishRows }, groupKeys)}
              {widget.type === "table" ? (
                <SwitchField
                  label="Publish rows"
                  aria-label={`Publish the rows of ${title}`}
                  checked={publishState.publishRows}
                  onChange={(publishRows) => rowsChange.mutate({ id: widget.id, publishRows })}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
      {rowsChange.error ? <p className={styles.error}>{errorInWords(rowsChange.error).detail}</p> : null}
    </section>
  );
}
