import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Digest, changeDigest, digestsQuery } from "../../api/digests.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./DigestList.module.css";
import { cadenceInWords, nextInWords } from "./cadence.ts";
import { recipientsInWords } from "./recipients.ts";

export interface DigestListProps {
  digests: readonly Digest[];
  /** The one whose mail is shown. */
  selected: string | undefined;
  nameOf: (digest: Digest) => string;
  timezone: string;
  mayWrite: boolean;
}

/** What is sent when and to whom. Choosing one shows its mail. */
export function DigestList({ digests, selected, nameOf, timezone, mayWrite }: DigestListProps) {
  const now = useNow();
  return (
    <ul className={styles.list} aria-label="Digests">
      {digests.map((digest) => {
        const name = nameOf(digest);
        const isSelected = digest.id === selected;
        return (
          <li key={digest.id} className={styles.row} data-selected={isSelected || undefined}>
            <div className={styles.words}>
              <Link to="/digests" search={{ sel: digest.id }} replace resetScroll={false} className={styles.name} aria-current={isSelected} dir="auto">
                {name}
              </Link>
              <p>{cadenceInWords(digest)}</p>
              <p className={styles.to}>{recipientsInWords(digest.recipients)}</p>
            </div>
            <span className={styles.next} data-always={!mayWrite || undefined}>
              {nextInWords(digest.nextSendAt, timezone, now)}
            </span>
            {mayWrite ? <EnabledSwitch digest={digest} name={name} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

function EnabledSwitch({ digest: { id, enabled }, name }: { digest: Digest; name: string }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (on: boolean) => changeDigest(id, { enabled: on }),
    onSuccess: (digest) => {
      queryClient.setQueryData(digestsQuery.queryKey, (all) => all?.map((entry) => (entry.id === id ? digest : entry)));
    },
    onError: sayFailure,
  });
  const on = change.isPending ? change.variables : enabled;
  return <SwitchField label={<Hidden>Send {name} regularly</Hidden>} checked={on} onChange={(next) => change.isPending || change.mutate(next)} />;
}
