import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { EmbedCode } from "../../../ui/Code/EmbedCode.tsx";
import { Dialog } from "../../../ui/Dialog/Dialog.tsx";
import { Segmented } from "../../../ui/Segmented/Segmented.tsx";
import { PublishFirst } from "../PublishFirst.tsx";
import { type PictureFile, type RacePicture, racePicturePath } from "./racePicture.ts";
import styles from "./ShareRaceDialog.module.css";

export interface ShareRaceDialogProps {
  picture: Omit<RacePicture, "slug">;
  /** The slug of the published listing; null while it is private. */
  slug: string | null;
  alt: string;
  onClose: () => void;
}

const FILE_OPTIONS: { value: PictureFile; label: string }[] = [
  { value: "svg", label: "SVG, for a README" },
  { value: "png", label: "PNG, for a chat" },
];

/** The picture of a race that stays up to date, and the text that shows it elsewhere. */
export function ShareRaceDialog({ picture, slug, alt, onClose }: ShareRaceDialogProps) {
  const [file, setFile] = useState<PictureFile>("svg");
  const { botIds, metric, timeFrame } = picture;
  const path = slug === null ? null : racePicturePath({ ...picture, slug }, file);
  return (
    <Dialog
      title="Share this race"
      description={path === null ? undefined : "A picture that stays up to date. Anyone with its link can see it, without an account."}
      width={640}
      onClose={onClose}
    >
      {path === null ? (
        <PublishFirst what="this race" />
      ) : (
        <div className={styles.picture}>
          <Segmented label="File" value={file} onChange={setFile} options={FILE_OPTIONS} small />
          <img src={path} alt={alt} width={1000} height={400} />
          <EmbedCode url={window.location.origin + path} alt={alt} />
        </div>
      )}
      <p className={styles.hint}>
        To keep the current numbers, or to change the look,{" "}
        <Link to="/bots/image" search={{ ids: botIds.join(","), metric, timeFrame }}>
          open it in the image builder
        </Link>
        .
      </p>
    </Dialog>
  );
}
