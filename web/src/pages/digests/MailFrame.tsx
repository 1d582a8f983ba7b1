import { useEffect, useEffectEvent, useRef, useState } from "react";
import { previewAddress, previewFailure } from "../../api/digests.ts";
import type { ApiError } from "../../api/errors.ts";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import styles from "./MailFrame.module.css";

export interface MailFrameProps {
  digestId: string;
  /** What assistive technology calls the frame. */
  title: string;
  /** Called with the subject when the mail is there. */
  onShown: (subject: string) => void;
  onFailure: (failure: ApiError) => void;
}

const FIRST_HEIGHT = 520;
/** The page reads the frame, and nothing in it runs; its links open beside the app. */
const SANDBOX = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** A mail in a frame as high as the mail, under a policy of its own. */
export function MailFrame({ digestId, title, onShown, onFailure }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const measure = useEffectEvent(() => {
    const page = frame.current?.contentDocument?.body;
    if (page && height !== null) setHeight(page.scrollHeight);
  });
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(() => measure());
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const onLoad = () => {
    const mail = frame.current?.contentDocument ?? null;
    const failure = previewFailure(mail);
    if (failure) {
      onFailure(failure);
      return;
    }
    setHeight(mail?.body.scrollHeight ?? FIRST_HEIGHT);
    onShown(mail?.querySelector<HTMLMetaElement>("meta[name=subject]")?.content ?? "");
  };
  return (
    <div className={styles.place}>
      {height === null ? (
        <div className={styles.waiting}>
          <Skeleton height={FIRST_HEIGHT - 40} />
        </div>
      ) : null}
      <iframe
        ref={frame}
        className={styles.frame}
        data-loading={height === null || undefined}
        style={{ height: height ?? FIRST_HEIGHT }}
        src={previewAddress(digestId)}
        sandbox={SANDBOX}
        title={title}
        onLoad={onLoad}
      />
    </div>
  );
}
