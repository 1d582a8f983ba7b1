import { ExternalLink } from "lucide-react";
import { formatExact } from "../../core/numbers.ts";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import { EmbedCode } from "../../ui/Code/EmbedCode.tsx";
import styles from "./AddressCard.module.css";
import { LONG_ADDRESS_LENGTH, MAX_QUERY_LENGTH } from "./picture.ts";

export interface AddressCardProps {
  url: string;
  alt: string;
  /** Whether the server draws it. */
  isDrawn: boolean;
  /** Make it shorter: half the points. */
  onShorten: () => void;
}

/** The address of the picture, to copy, and how long it is. */
export function AddressCard({ url, alt, isDrawn, onShorten }: AddressCardProps) {
  return (
    <section className={styles.card} aria-label="URL">
      {isDrawn ? (
        <EmbedCode
          url={url}
          alt={alt}
          tools={
            <a href={url} target="_blank" rel="noopener" className={buttonClass("quiet", true)}>
              <ExternalLink size={14} strokeWidth={1.6} aria-hidden="true" />
              Open
            </a>
          }
        />
      ) : null}
      <LengthMeter addressLength={url.length} onShorten={onShorten} />
    </section>
  );
}

function LengthMeter({ addressLength, onShorten }: { addressLength: number; onShorten: () => void }) {
  const level = addressLength > MAX_QUERY_LENGTH ? "block" : addressLength > LONG_ADDRESS_LENGTH ? "warn" : "ok";
  const limit = level === "ok" ? LONG_ADDRESS_LENGTH : MAX_QUERY_LENGTH;
  return (
    <div className={styles.length} data-level={level}>
      <div className={styles.words}>
        <span>
          {formatExact(addressLength)} of {formatExact(limit)} characters
        </span>
        <span className={styles.hint}>
          {level === "block" ? "too long for the server" : `some chat apps cut off URLs over ${formatExact(LONG_ADDRESS_LENGTH)}`}
        </span>
      </div>
      <div className={styles.meter} aria-hidden="true">
        <i style={{ width: `${Math.min(100, (addressLength / limit) * 100)}%` }} />
      </div>
      {level === "ok" ? null : (
        <div>
          <Button small onClick={onShorten}>Use half the points</Button>
        </div>
      )}
    </div>
  );
}
