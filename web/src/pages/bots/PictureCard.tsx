import { useQuery } from "@tanstack/react-query";
import type { BotRecord } from "../../api/bots.ts";
import { listingQuery } from "../../api/listing.ts";
import { type Metric, type TimeFrame, frameInWords, metricInWords } from "../../core/bots.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { EmbedCode } from "../../ui/Code/EmbedCode.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import styles from "./PictureCard.module.css";
import { PublishFirst } from "./PublishFirst.tsx";

export interface PictureCardProps {
  bot: BotRecord;
  metric: Metric;
  timeFrame: TimeFrame;
}

/** The picture of the chart that anybody may see once the listing is published, and the text that shows it elsewhere. */
export function PictureCard({ bot: { id, name }, metric, timeFrame }: PictureCardProps) {
  const { data: listing } = useQuery(listingQuery);
  const alt = `${name}: ${metricInWords(metric).toLowerCase()}, ${frameInWords(timeFrame)}`;
  const path = `/custom/bots/${listing?.slug ?? ""}/${id}/${metric}.svg?timeFrame=${timeFrame}&theme=auto`;
  return (
    <Card title="Picture" note="always up to date">
      {!listing ? (
        <Skeleton height={180} />
      ) : listing.isPublic ? (
        <div className={styles.picture}>
          <img src={path} alt={alt} width={1000} height={400} loading="lazy" />
          <EmbedCode url={window.location.origin + path} alt={alt} />
        </div>
      ) : (
        <PublishFirst what="this chart" />
      )}
    </Card>
  );
}
