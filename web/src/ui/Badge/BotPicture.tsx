import { useState } from "react";
import styles from "./Avatar.module.css";
import { edgeOf } from "./edge.ts";
import { Identicon } from "./Identicon.tsx";

export interface BotPictureProps {
  id: string;
  /** Where its picture is; only an https address is asked. */
  address?: string | undefined;
  /** In px. */
  size?: number;
  /** The color of its line beside it, 1 to 8, as an edge; its pattern keeps its own color. */
  lineColor?: number | undefined;
}

/** The picture of a bot, or a pattern that its id makes. It is decoration: its name stands beside it. */
export function BotPicture({ id, address, size = 28, lineColor }: BotPictureProps) {
  const [brokenAddress, setBrokenAddress] = useState<string | null>(null);
  if (!address?.startsWith("https://") || brokenAddress === address) {
    return <Identicon seed={id} size={size} lineColor={lineColor} />;
  }
  return (
    <img
      className={styles.picture}
      src={address}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      referrerPolicy="no-referrer"
      style={edgeOf(lineColor)}
      onError={() => setBrokenAddress(address)}
    />
  );
}
