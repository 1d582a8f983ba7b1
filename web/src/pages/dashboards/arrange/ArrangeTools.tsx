import { GripVertical, Pencil } from "lucide-react";
import { getRouteApi } from "@tanstack/react-router";
import type { Widget } from "../../../api/widgets.ts";
import { IconButton } from "../../../ui/Button/IconButton.tsx";
import { Menu, type MenuItem } from "../../../ui/Menu/Menu.tsx";
import { Segmented } from "../../../ui/Segmented/Segmented.tsx";
import styles from "./Arrange.module.css";
import { WIDTHS } from "./cardOrder.ts";
import type { Arrangement } from "./useArrange.ts";

const route = getRouteApi("/member/d/$id");
const WIDTH_OPTIONS = WIDTHS.map(String).map((value) => ({ value, label: value }));
const HEIGHT_OPTIONS = [{ value: "2", label: "S" }, { value: "4", label: "M" }, { value: "6", label: "L" }];

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

/** The tools of one card while arranging: width, height, editor, and its menu. */
export function ArrangeTools({ widget, arrangement, menuItems }: ArrangeToolsProps) {
  const navigate = route.useNavigate();
  const title = widget.title || widget.type;
  const openEditor = () =>
    void navigate({ to: "/d/$id/w/$widgetId", params: { id: widget.dashboardId, widgetId: widget.id }, search: true });
  return (
    <div className={styles.tools}>
      <span className={styles.sizes}>
        <Segmented
          small
          label={`Width of ${title}`}
          value={String(widget.layout.w)}
          options={WIDTH_OPTIONS}
          onChange={(w) => arrangement.resize(widget, { w: Number(w) })}
        />
        <Segmented
          small
          label={`Height of ${title}`}
          value={String(widget.layout.h)}
          options={HEIGHT_OPTIONS}
          onChange={(h) => arrangement.resize(widget, { h: Number(h) })}
        />
      </span>
      <IconButton small label={`Edit ${title}`} icon={Pencil} onClick={openEditor} />
      <Menu label="Widget menu" items={menuItems} />
    </div>
  );
}
