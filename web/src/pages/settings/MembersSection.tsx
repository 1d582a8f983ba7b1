import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { invitesQuery } from "../../api/invites.ts";
import { membersQuery } from "../../api/members.ts";
import { errorInWords } from "../../api/words.ts";
import { formatExact } from "../../core/numbers.ts";
import { mayAct } from "../../core/roles.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { InviteDialog } from "./InviteDialog.tsx";
import { MemberTable } from "./MemberTable.tsx";
import styles from "./MembersSection.module.css";
import { type Person, matchingPeople, peopleOf } from "./people.ts";
import { Section } from "./Section.tsx";
import { useIdentity } from "./useIdentity.ts";

/** Rows that are shown at once; a workspace of a thousand has a search field. */
const ROWS_PER_PAGE = 50;

/** The people of the workspace, and those who are invited. */
export function MembersSection() {
  const { role, workspace } = useIdentity();
  const isAdmin = mayAct(role, "admin");
  const { data: members, error, refetch } = useQuery(membersQuery);
  const { data: invites = [] } = useQuery({ ...invitesQuery, enabled: isAdmin });
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Section
      id="members"
      title="Members"
      tools={
        <>
          <CopyCurl request={{ path: "/v1/members" }} />
          {isAdmin ? (
            <Button small icon={UserPlus} onClick={() => setIsInviting(true)}>Invite</Button>
          ) : null}
        </>
      }
    >
      {error && !members ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : members ? (
        <PeopleList people={peopleOf(members, invites)} timezone={workspace.timezone} />
      ) : (
        <Skeleton height={80} />
      )}
      {isInviting ? <InviteDialog onClose={() => setIsInviting(false)} /> : null}
    </Section>
  );
}

function PeopleList({ people, timezone }: { people: Person[]; timezone: string }) {
  const [search, setSearch] = useState("");
  const [visibleCount, setVisibleCount] = useState(ROWS_PER_PAGE);
  const matches = matchingPeople(people, search);
  const visiblePeople = matches.slice(0, visibleCount);
  return (
    <>
      {people.length > ROWS_PER_PAGE ? (
        <div className={styles.search}>
          <TextField label="Search members" hideLabel placeholder="Name or address" value={search} onChange={setSearch} />
        </div>
      ) : null}
      {matches.length === 0 ? <p className={styles.note}>No members match “{search}”.</p> : <MemberTable people={visiblePeople} timezone={timezone} />}
      {matches.length > visiblePeople.length ? (
        <p className={styles.foot}>
          {formatExact(visiblePeople.length)} of {formatExact(matches.length)}
          <Button small onClick={() => setVisibleCount(visibleCount + ROWS_PER_PAGE)}>
            Next {ROWS_PER_PAGE}
          </Button>
        </p>
      ) : null}
    </>
  );
}
