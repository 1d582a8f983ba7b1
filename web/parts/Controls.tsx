import { Plus, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { Avatar } from "../src/ui/Badge/Avatar.tsx";
import { Badge } from "../src/ui/Badge/Badge.tsx";
import { Identicon } from "../src/ui/Badge/Identicon.tsx";
import { Kbd } from "../src/ui/Badge/Kbd.tsx";
import { Button, buttonClass } from "../src/ui/Button/Button.tsx";
import { IconButton } from "../src/ui/Button/IconButton.tsx";
import { Chip } from "../src/ui/Chip/Chip.tsx";
import { Segmented } from "../src/ui/Segmented/Segmented.tsx";
import { Tabs } from "../src/ui/Tabs/Tabs.tsx";
import { Shelf } from "./Shelf.tsx";

const TIME_RANGES = ["1h", "24h", "7d", "30d", "90d"].map((value) => ({ value, label: value }));
const VIEWS = [
  { value: "chart", label: "Chart" },
  { value: "table", label: "Table" },
];
const nothing = () => undefined;

/** Buttons, choices and small marks. */
export function Controls() {
  const [timeRange, setTimeRange] = useState("7d");
  const [view, setView] = useState("chart");
  return (
    <>
      <Shelf name="Button">
        <Button>Plain</Button>
        <Button variant="primary" icon={Plus}>
          Primary
        </Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger" icon={Trash2}>
          Delete
        </Button>
        <Button small icon={Plus}>
          Small
        </Button>
        <Button disabled>Disabled</Button>
        <Button variant="primary" busy>
          Saving
        </Button>
        <a className={buttonClass("plain")} href="#link">
          Link
        </a>
        <IconButton label="Star" icon={Star} />
        <IconButton label="Small star" icon={Star} small />
      </Shelf>
      <Shelf name="Segmented">
        <Segmented label="Time range" value={timeRange} onChange={setTimeRange} options={TIME_RANGES} />
        <Segmented label="Small time range" value={timeRange} onChange={setTimeRange} options={TIME_RANGES} small />
        <Segmented label="None chosen" value="" onChange={setTimeRange} options={TIME_RANGES} />
      </Shelf>
      <Shelf name="Badge, Kbd, Avatar, Identicon">
        <Badge>paid</Badge>
        <Badge tone="ok">created</Badge>
        <Badge tone="warn">92 %</Badge>
        <Badge tone="error">400</Badge>
        <Badge tone="accent">preview</Badge>
        <Kbd>⌘K</Kbd>
        <Avatar name="Ada King" />
        {["1", "2", "3", "4", "5"].map((seed) => (
          <Identicon key={seed} seed={seed} />
        ))}
      </Shelf>
      <Shelf name="Chip">
        <Chip label="plan is pro" parts={["plan", "is", "pro"]} onRemove={nothing} />
        <Chip label="country is one of DE, AT" parts={["country", "is one of", "DE, AT"]} onClick={nothing} onRemove={nothing} />
        <Chip label="plan is set or amount > 3" parts={["plan is set or amount > 3"]} onRemove={nothing} />
      </Shelf>
      <Tabs label="View" value={view} onChange={setView} tabs={VIEWS}>
        The {view}.
      </Tabs>
    </>
  );
}
