import { useEffect, useEffectEvent, useRef, useState } from "react";
import { previewAddress, previewFailure } from "../../api/digests.ts";
import type { ApiError } from "../../api/errors.ts";
import type { Theme } from "../../scope/theme.ts";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import styles from "./MailFrame.module.css";

export interface MailFrameProps {
  digestId: string;
  theme: Theme;
  /** The width of the mail's window, in pixels, if there is room for it. */
  width: number;
  /** What assistive technology calls the frame. */
  title: string;
  /** Called with the subject when the mail is there. */
  onShown: (subject: string) => void;
  onFailure: (failure: ApiError) => void;
}

const INITIAL_HEIGHT = 520;
/** The page reads the frame, and nothing in it runs; its links open beside the app. */
const SANDBOX = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** A mail in a frame under a policy of its own, as high as the mail. */
export function MailFrame({ digestId, theme, width, title, onShown, onFailure }: MailFrameProps) {
  const frameRef = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const updateHeight = useEffectEvent(() => {
    const mailBody = frameRef.current?.contentDocument?.body;
    if (mailBody && height !== null) setHeight(mailBody.scrollHeight);
  });
  useEffect(() => {
    if (!frameRef.current) return;
    const observer = new ResizeObserver(() => updateHeight());
    observer.observe(frameRef.current);
    return () => observer.disconnect();
  }, []);
  const onLoad = () => {
    const mailDocument = frameRef.current?.contentDocument ?? null;
    const failure = previewFailure(mailDocument);
    if (failure) {
      onFailure(failure);
      return;
    }
    setHeight(mailDocument?.body.scrollHeight ?? INITIAL_HEIGHT);
    onShown(mailDocument?.querySelector<HTMLMetaElement>("meta[name=subject]")?.content ?? "");
  };
  return (
    <div className={styles.place}>
      {height === null ? (
        <div className={styles.waiting}>
          <Skeleton height={INITIAL_HEIGHT - 40} />
        </div>
      ) : null}
      <iframe
        ref={frameRef}
        className={styles.frame}
        data-loading={height === null || undefined}
        style={{ width, height: height ?? INITIAL_HEIGHT }}
        src={previewAddress(digestId, theme)}
        sandbox={SANDBOX}
        title={title}
        onLoad={onLoad}
      />
    </div>
  );
}
