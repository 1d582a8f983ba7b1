import { useEffect, useMemo, useState } from "react";
import { COLOR_COUNT } from "../../core/valueColors.ts";
import { type Theme, useTheme } from "../../scope/theme.ts";
import { DraftNote } from "../../scope/work/DraftNote.tsx";
import { useWork } from "../../scope/work/useWork.ts";
import { CopyButton } from "../../ui/Code/CopyButton.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { AddressCard } from "./AddressCard.tsx";
import styles from "./Builder.module.css";
import { LookCard } from "./LookCard.tsx";
import { type Picture, addressOf, altOf, halvePoints, refusalOf } from "./picture.ts";
import { SeriesCard } from "./SeriesCard.tsx";
import { Stage } from "./Stage.tsx";

const SETTLE_MS = 250;

/** The theme whose colors are seen: a PNG has one, and an SVG may follow its reader. */
function themeOf({ theme, file }: Picture, pageTheme: Theme): Theme {
  if (theme !== "auto") return theme;
  return file === "svg" ? pageTheme : "light";
}

export interface BuilderProps {
  /** Which picture it is, for the draft that the browser keeps. */
  subject: string;
  initialPicture: Picture;
}

/** What goes into the picture at the left; the server's own answer and its address at the right. */
export function Builder({ subject, initialPicture }: BuilderProps) {
  const work = useWork({ subject, savedValue: initialPicture, isNew: true });
  const picture = work.value;
  const { theme: pageTheme } = useTheme();
  const theme = themeOf(picture, pageTheme);
  const palette = useMemo(() => paletteOf(theme), [theme]);
  const address = addressOf(picture);
  const refusal = refusalOf(picture, address);
  const stableAddress = useSettled(refusal === null ? address : null);
  const url = window.location.origin + address;
  const alt = altOf(picture);
  const changePicture = (changes: Partial<Picture>) => work.change((previous) => ({ ...previous, ...changes }));
  return (
    <Page
      title="Image builder"
      badge={<DraftNote work={work} />}
      tools={
        <>
          <p className={styles.note}>The server stores nothing. The numbers are in the URL.</p>
          {refusal === null ? <CopyButton text={url} label="Copy URL" variant="primary" /> : null}
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.column}>
          <SeriesCard series={picture.series} palette={palette} onChange={(series) => changePicture({ series })} />
          <LookCard picture={picture} onChange={changePicture} />
        </div>
        <div className={styles.column}>
          <Stage address={refusal === null ? stableAddress : null} refusal={refusal} alt={alt} width={Number(picture.width)} height={Number(picture.height)} />
          {picture.series.length > 0 ? (
            <AddressCard url={url} alt={alt} isDrawn={refusal === null} onShorten={() => work.change(halvePoints)} />
          ) : null}
        </div>
      </div>
    </Page>
  );
}

/** Return the colors of series in a theme, in the order of the server's pictures, as `#rrggbb`. */
function paletteOf(theme: "light" | "dark"): string[] {
  const probe = document.createElement("i");
  probe.dataset.theme = theme;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colors = Array.from({ length: COLOR_COUNT }, (_, index) => style.getPropertyValue(`--s${index + 1}`).trim());
  probe.remove();
  return colors;
}

/** Return a value that follows another one as soon as that has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [stableValue, setStableValue] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setStableValue(value), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return stableValue;
}
