import { type ReactNode, useState } from "react";
import { Segmented } from "../Segmented/Segmented.tsx";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./EmbedCode.module.css";
import { EMBEDS, type Embed, embedCodeOf } from "./embeds.ts";
import { LocalNote } from "./LocalNote.tsx";

export interface EmbedCodeProps {
  /** The whole address of the picture. */
  url: string;
  /** What is in the picture, for those who do not see it. */
  alt: string;
  /** Stands before the copy button. */
  tools?: ReactNode;
}

const OPTIONS = EMBEDS.map((value) => ({ value, label: value }));

/** The text that shows a picture elsewhere, as an address, in Markdown or in HTML, and a button that copies it. */
export function EmbedCode({ url, alt, tools }: EmbedCodeProps) {
  const [kind, setKind] = useState<Embed>("URL");
  const text = embedCodeOf(kind, url, alt);
  return (
    <div className={styles.embed}>
      <div className={styles.head}>
        <Segmented label="Copy as" value={kind} onChange={setKind} options={OPTIONS} small />
        <span className={styles.tools}>
          {tools}
          <CopyButton text={text} label={kind === "URL" ? "Copy" : `Copy ${kind}`} variant="quiet" small />
        </span>
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable */}
      <code className={styles.code} role="group" aria-label={`Picture as ${kind}`} tabIndex={0}>
        {text}
      </code>
      <LocalNote url={url} />
    </div>
  );
}
