import { Send } from "lucide-react";
import { useState } from "react";
import type { Digest } from "../../api/digests.ts";
import type { ApiError } from "../../api/errors.ts";
import { errorInWords } from "../../api/words.ts";
import { useTheme } from "../../scope/theme.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { DigestMenu } from "./DigestMenu.tsx";
import styles from "./MailCard.module.css";
import { MailFrame } from "./MailFrame.tsx";
import { SendDialog } from "./SendDialog.tsx";

type View = "desktop" | "phone";

const VIEWS = [
  { value: "desktop", label: "Desktop" },
  { value: "phone", label: "Phone" },
] as const;
const WIDTHS: Record<View, number> = { desktop: 700, phone: 390 };

/** The very mail of a digest as it would be sent now, and what can be done with the digest. */
export function MailCard({ digest, name, mayWrite }: { digest: Digest; name: string; mayWrite: boolean }) {
  const [subject, setSubject] = useState<string | null>(null);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [view, setView] = useState<View>("desktop");
  const { theme } = useTheme();
  const [isSendDialogOpen, setSendDialogOpen] = useState(false);
  const retry = () => {
    setFailure(null);
    setAttempt(attempt + 1);
  };
  return (
    <section className={styles.mail} aria-label="Email" aria-busy={(subject === null && failure === null) || undefined}>
      <header className={styles.head}>
        <p className={styles.subject}>
          <span>Subject</span>
          {subject === null ? <Skeleton height={14} width="60%" /> : <b dir="auto">{subject}</b>}
        </p>
        <div className={styles.tools}>
          <span className={styles.note}>Preview</span>
          <span className={styles.views}>
            <Segmented small label="Preview width" value={view} onChange={setView} options={VIEWS} />
          </span>
          {mayWrite ? (
            <Button small icon={Send} onClick={() => setSendDialogOpen(true)}>Send now</Button>
          ) : null}
          <DigestMenu digest={digest} name={name} mayWrite={mayWrite} />
        </div>
      </header>
      {failure ? (
        <div className={styles.failure}>
          <ErrorState {...errorInWords(failure)} onRetry={retry} />
        </div>
      ) : (
        <MailFrame key={attempt} digestId={digest.id} theme={theme} width={WIDTHS[view]} title={`Preview of ${name}`} onShown={setSubject} onFailure={setFailure} />
      )}
      {isSendDialogOpen ? <SendDialog digest={digest} name={name} onClose={() => setSendDialogOpen(false)} /> : null}
    </section>
  );
}
