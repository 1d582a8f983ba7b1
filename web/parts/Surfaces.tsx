import { useState } from "react";
import { Badge } from "../src/ui/Badge/Badge.tsx";
import { Button } from "../src/ui/Button/Button.tsx";
import { Card } from "../src/ui/Card/Card.tsx";
import { Json } from "../src/ui/Code/Json.tsx";
import { Snippet } from "../src/ui/Code/Snippet.tsx";
import { Menu } from "../src/ui/Menu/Menu.tsx";
import { Skeleton } from "../src/ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../src/ui/States/ErrorState.tsx";
import { State } from "../src/ui/States/State.tsx";
import { TallyStep } from "../src/ui/Steps/TallyStep.tsx";
import { Waiting } from "../src/ui/Steps/Waiting.tsx";
import type { Sort } from "../src/ui/Table/HeadCell.tsx";
import { Table } from "../src/ui/Table/Table.tsx";
import { Shelf } from "./Shelf.tsx";
import styles from "./parts.module.css";

const nothing = () => undefined;
const MENU = <Menu label="Widget menu" items={[{ label: "Edit widget", onSelect: nothing }]} />;
const EVENT = { name: "track.play", _actor: "user_1", properties: { plan: "pro", ms: 182, live: false, from: { list: ["a", "b"], none: null } } };
const CODE = [
  { name: "curl", code: `curl http://localhost/v1/events \\\n  -H "Authorization: Bearer tr_test_4xQm" \\\n  -d '{"name":"hello"}'` },
  { name: "Python", code: `print("hello")` },
];

/** Cards, states, code and steps. */
export function Surfaces() {
  return (
    <>
      <Shelf name="Card and states" grid>
        <Card title="Loading" busy>
          <Skeleton height={180} />
        </Card>
        <Card title="Updating" note="actors, 7 days" isStale tools={MENU} footer="No connection for 12 min">
          <div className={styles.tall}>3,907</div>
        </Card>
        <Card title="Empty">
          <State title="Nothing in these 7 days" detail="No lyrics.open in production." action={<Button>Show 30 days</Button>} />
        </Card>
        <Card title="Error" level={3}>
          <ErrorState title="This didn't load" detail="The query ran longer than 30 s and was stopped." requestId="8f1c-20d4" onRetry={nothing} />
        </Card>
        <Card title="Four strokes">
          <State strokes={4} title="Nothing here" detail="There is no page at this address." />
        </Card>
      </Shelf>
      <Shelf name="Code" grid>
        <Snippet tabs={CODE} />
        <Json value={EVENT} />
      </Shelf>
      <Rows />
      <Shelf name="Steps" grid>
        <ol>
          <TallyStep strokes={1} title="A key for development" isDone badge={<Badge tone="ok">created</Badge>}>
            Done.
          </TallyStep>
          <TallyStep strokes={2} title="Send something">
            Here.
          </TallyStep>
          <TallyStep strokes={3} title="See it arrive">
            <div className={styles.surface}>
              <Waiting title="Listening for the first event" detail="Any key in this workspace works." elapsed="0:42" />
            </div>
          </TallyStep>
        </ol>
      </Shelf>
    </>
  );
}

interface Actor {
  key: string;
  events: number;
  seen: string;
}

const ACTORS: Actor[] = [
  { key: "user_1", events: 12_004, seen: "2 min ago" },
  { key: "user_2", events: 811, seen: "3 h ago" },
  { key: "a/b c:é", events: 3, seen: "9 Sep" },
];

function Rows() {
  const [sort, setSort] = useState<Sort>({ key: "events", dir: "desc" });
  const [chosen, setChosen] = useState("user_2");
  return (
    <Shelf name="Table" grid>
      <Table
        label="Actors"
        columns={[
          { key: "key", label: "Actor", render: ({ key }) => key },
          { key: "events", label: "Events", align: "end", sortable: true, render: ({ events }) => events.toLocaleString("en") },
          { key: "seen", label: "Last seen", align: "end", hideBelow: 600, render: ({ seen }) => seen },
        ]}
        rows={ACTORS}
        rowKey={({ key }) => key}
        onRow={({ key }) => setChosen(key)}
        isSelected={({ key }) => key === chosen}
        sort={sort}
        onSort={(key) => setSort({ key, dir: sort.dir === "asc" ? "desc" : "asc" })}
      />
      <Table
        label="Dense"
        dense
        columns={[
          { key: "key", label: "Actor", render: ({ key }) => key },
          { key: "menu", label: "Actions", hideLabel: true, align: "end", render: () => <Button small variant="quiet">Revoke</Button> },
        ]}
        rows={ACTORS}
        rowKey={({ key }) => key}
      />
    </Shelf>
  );
}
