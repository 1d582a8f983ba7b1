import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Digest, changeDigest, digestsQuery } from "../../api/digests.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./DigestList.module.css";
import { cadenceInWords, nextSendInWords } from "./cadence.ts";
import { recipientsInWords } from "./recipients.ts";

export interface DigestListProps {
  digests: readonly Digest[];
  /** The one whose mail is shown. */
  selectedId: string | undefined;
  nameOf: (digest: Digest) => string;
  timezone: string;
  mayWrite: boolean;
}

/** What is sent when and to whom. Choosing one shows its mail. */
export function DigestList({ digests, selectedId, nameOf, timezone, mayWrite }: DigestListProps) {
  const now = useNow();
  return (
    <ul className={styles.list} aria-label="Digests">
      {digests.map((digest) => {
        const name = nameOf(digest);
        const isSelected = digest.id === selectedId;
        return (
          <li key={digest.id} className={styles.row} data-selected={isSelected || undefined}>
            <div className={styles.words}>
              <Link to="/digests" search={{ sel: digest.id }} replace resetScroll={false} className={styles.name} aria-current={isSelected} dir="auto">
                {name}
              </Link>
              <p>{cadenceInWords(digest)}</p>
              <p className={styles.to}>{recipientsInWords(digest.recipients)}</p>
            </div>
            <span className={styles.next}>
              {nextSendInWords(digest.nextSendAt, timezone, now)}
            </span>
            {mayWrite ? (
              <span className={styles.switch}>
                <EnabledSwitch digest={digest} name={name} />
              </span>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function EnabledSwitch({ digest: { id, enabled }, name }: { digest: Digest; name: string }) {
  const queryClient = useQueryClient();
  const enabledChange = useMutation({
    mutationFn: (isEnabled: boolean) => changeDigest(id, { enabled: isEnabled }),
    onSuccess: (digest) => {
      queryClient.setQueryData(digestsQuery.queryKey, (digests) => digests?.map((entry) => (entry.id === id ? digest : entry)));
    },
    onError: sayFailure,
  });
  const isOn = enabledChange.isPending ? enabledChange.variables : enabled;
  return <SwitchField label={<Hidden>Send {name} regularly</Hidden>} checked={isOn} onChange={(isChecked) => enabledChange.isPending || enabledChange.mutate(isChecked)} />;
}
