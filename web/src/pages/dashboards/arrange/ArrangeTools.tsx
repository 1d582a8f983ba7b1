import { ArrowDownToLine, ArrowLeftToLine, ArrowRightToLine, ArrowUpToLine, GripVertical, type LucideIcon, Pencil } from "lucide-react";
import { getRouteApi } from "@tanstack/react-router";
import type { Widget } from "../../../api/widgets.ts";
import { IconButton } from "../../../ui/Button/IconButton.tsx";
import { Menu, type MenuItem } from "../../../ui/Menu/Menu.tsx";
import { outlineOf } from "../../../widgets/registry.ts";
import styles from "./Arrange.module.css";
import { type CardSize, isSameSize, sizeAfterStep } from "./cardSizes.ts";
import type { Arrangement } from "./useArrange.ts";

const route = getRouteApi("/member/d/$id");
/** The size in the menu, for those who do not drag. */
const SIZE_STEPS: { label: string; icon: LucideIcon; step: CardSize }[] = [
  { label: "Wider", icon: ArrowRightToLine, step: { w: 1, h: 0 } },
  { label: "Narrower", icon: ArrowLeftToLine, step: { w: -1, h: 0 } },
  { label: "Taller", icon: ArrowDownToLine, step: { w: 0, h: 1 } },
  { label: "Shorter", icon: ArrowUpToLine, step: { w: 0, h: -1 } },
];

export interface ArrangeToolsProps {
  widget: Widget;
  arrangement: Arrangement;
  menuItems: MenuItem[];
}

/** What a card is dragged by, and moved by with keys. */
export function ArrangeHandle({ widget, arrangement }: Pick<ArrangeToolsProps, "widget" | "arrangement">) {
  return (
    <button
      type="button"
      data-handle
      className={styles.handle}
      aria-label={`Move ${widget.title || widget.type}`}
      aria-pressed={arrangement.heldId === widget.id}
      onKeyDown={(event) => arrangement.onHandleKey(widget, event)}
    >
      <GripVertical size={14} aria-hidden="true" />
    </button>
  );
}

/** The tools of one card while arranging: its editor, and its menu with the sizes. */
export function ArrangeTools({ widget, arrangement, menuItems }: ArrangeToolsProps) {
  const navigate = route.useNavigate();
  const title = widget.title || widget.type;
  const openEditor = () =>
    void navigate({ to: "/d/$id/w/$widgetId", params: { id: widget.dashboardId, widgetId: widget.id }, search: true });
  return (
    <div className={styles.tools}>
      <IconButton small label={`Edit ${title}`} icon={Pencil} onClick={openEditor} />
      <Menu label="Widget menu" items={[...sizeItemsOf(widget, arrangement), "separator", ...menuItems]} />
    </div>
  );
}

function sizeItemsOf(widget: Widget, arrangement: Arrangement): MenuItem[] {
  return SIZE_STEPS.map(({ label, icon, step }) => {
    const size = sizeAfterStep(widget.layout, step, outlineOf(widget));
    return { label, icon, disabled: isSameSize(size, widget.layout), onSelect: () => arrangement.resize(widget, size) };
  });
}
