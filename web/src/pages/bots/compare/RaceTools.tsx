import { useQuery } from "@tanstack/react-query";
import { ImageIcon, Share2 } from "lucide-react";
import { Suspense, useState } from "react";
import { listingQuery } from "../../../api/listing.ts";
import { copyText } from "../../../core/clipboard.ts";
import { Button } from "../../../ui/Button/Button.tsx";
import { embedCodeOf } from "../../../ui/Code/embeds.ts";
import { lazily } from "../../../ui/lazily.ts";
import { toast } from "../../../ui/Toast/toast.ts";
import { type RacePicture, racePicturePath } from "./racePicture.ts";
import styles from "./RaceTools.module.css";

const ShareRaceDialog = lazily(() => import("./ShareRaceDialog.tsx"), "ShareRaceDialog");

export interface RaceToolsProps {
  picture: Omit<RacePicture, "slug">;
  /** What the picture shows, in words. */
  alt: string;
}

/** The ways to show a race elsewhere. While the listing is private, both lead to what to do first. */
export function RaceTools({ picture, alt }: RaceToolsProps) {
  const { data: listing } = useQuery(listingQuery);
  const [isSharing, setIsSharing] = useState(false);
  const slug = listing?.isPublic ? listing.slug : null;
  const copyPicture = async (publicSlug: string) => {
    const url = window.location.origin + racePicturePath({ ...picture, slug: publicSlug }, "svg");
    toast({ text: (await copyText(embedCodeOf("Markdown", url, alt))) ? "Picture copied as Markdown" : "Copy failed" });
  };
  return (
    <>
      <span className={styles.copy}>
        <Button icon={ImageIcon} onClick={() => (slug === null ? setIsSharing(true) : void copyPicture(slug))}>
          Copy picture
        </Button>
      </span>
      <Button icon={Share2} onClick={() => setIsSharing(true)}>
        Share this race
      </Button>
      {isSharing ? (
        <Suspense>
          <ShareRaceDialog picture={picture} slug={slug} alt={alt} onClose={() => setIsSharing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
