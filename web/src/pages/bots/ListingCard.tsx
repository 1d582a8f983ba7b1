import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { listingQuery, publishListing, renewListing } from "../../api/listing.ts";
import { errorInLine, errorInWords } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import styles from "./ListingCard.module.css";

/** Whether anybody may see pictures of the listing's bots, and under which address. */
export function ListingCard({ mayWrite }: { mayWrite: boolean }) {
  const queryClient = useQueryClient();
  const { data: listing, error, refetch } = useQuery(listingQuery);
  const [isRenewing, setIsRenewing] = useState(false);
  const publish = useMutation({
    mutationFn: publishListing,
    onSuccess: (newListing) => queryClient.setQueryData(listingQuery.queryKey, newListing),
  });
  const isPublic = publish.isPending ? publish.variables : (listing?.isPublic ?? false);
  return (
    <Card title="Public pictures" anchor="pictures">
      {error && !listing ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !listing ? (
        <Skeleton height={72} />
      ) : (
        <div className={styles.listing}>
          {mayWrite ? (
            <SwitchField
              label="Published"
              hint="Anyone with the link can see the charts of all bots in this listing, but no individual votes."
              checked={isPublic}
              onChange={(isChecked) => publish.mutate(isChecked)}
            />
          ) : (
            <p>{isPublic ? "The listing is published." : "The listing is private."}</p>
          )}
          <FormError text={publish.error ? errorInLine(publish.error) : null} />
          {listing.isPublic && listing.slug ? (
            <>
              <p className={styles.address}>
                <code>/custom/bots/{listing.slug}/…</code> Copy the full URL on a bot's page.
              </p>
              {mayWrite ? (
                <div>
                  <Button small variant="quiet" onClick={() => setIsRenewing(true)}>
                    Replace link
                  </Button>
                </div>
              ) : null}
            </>
          ) : null}
        </div>
      )}
      {isRenewing ? <RenewDialog onClose={() => setIsRenewing(false)} /> : null}
    </Card>
  );
}

function RenewDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: renewListing,
    onSuccess: (listing) => {
      queryClient.setQueryData(listingQuery.queryKey, listing);
      toast({ text: "Link replaced." });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Replace link"
      detail="Current picture links stop working immediately, including in READMEs."
      confirm="Replace"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
