import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type Dashboard, dashboardQuery } from "../../../api/dashboards.ts";
import { namesQuery } from "../../../api/names.ts";
import { addWidget } from "../../../api/widgets.ts";
import { sayFailure } from "../../../scope/sayFailure.ts";
import { announce } from "../../../ui/announce.ts";
import { titleOf } from "../../../widgets/registry.ts";
import styles from "./Proposals.module.css";
import { type Proposal, proposalsFor } from "./proposals.ts";

/** Cards from what the environment has sent, which one press adds. */
export function Proposals({ dashboard }: { dashboard: Dashboard }) {
  const queryClient = useQueryClient();
  const { data: names } = useQuery(namesQuery(dashboard.environment));
  const add = useMutation({
    mutationFn: ({ fields }: Proposal) => addWidget(dashboard.id, fields),
    onSuccess: async (_, { words }) => {
      announce(`Added ${words}`);
      await queryClient.invalidateQueries({ queryKey: dashboardQuery(dashboard.id).queryKey });
    },
    onError: sayFailure,
  });
  const proposals = names ? proposalsFor(names, dashboard.widgets.map(titleOf)) : [];
  if (proposals.length === 0) return null;
  return (
    <ul className={styles.proposals} aria-label="Suggested">
      {proposals.map((proposal) => (
        <li key={proposal.words}>
          <button type="button" className={styles.proposal} disabled={add.isPending} onClick={() => add.mutate(proposal)}>
            <Plus size={14} aria-hidden="true" />
            <span>{proposal.words}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
