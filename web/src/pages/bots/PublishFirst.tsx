import { Link, useRouteContext } from "@tanstack/react-router";
import { mayAct } from "../../core/roles.ts";
import styles from "./PictureCard.module.css";

/** What to do before anyone else can see a picture of the listing's bots. */
export function PublishFirst({ what }: { what: string }) {
  const { identity } = useRouteContext({ from: "/member" });
  return (
    <p className={styles.words}>
      Once the listing is published, you can embed {what} in a README or on a website.{" "}
      {mayAct(identity.role, "developer") ? (
        <Link to="/bots/feeding" hash="pictures">
          Publish the listing
        </Link>
      ) : (
        "A developer can publish it."
      )}
    </p>
  );
}
