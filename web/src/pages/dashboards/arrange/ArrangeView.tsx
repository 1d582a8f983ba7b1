import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, Undo2 } from "lucide-react";
import { useState } from "react";
import { annotationsQuery } from "../../../api/annotations.ts";
import type { Dashboard } from "../../../api/dashboards.ts";
import { savedWidgetQuery } from "../../../api/widgets.ts";
import { dataFieldsOf } from "../../../scope/dataFields.ts";
import { Kbd } from "../../../ui/Badge/Kbd.tsx";
import { Button } from "../../../ui/Button/Button.tsx";
import { DashboardContext } from "../../../widgets/DashboardContext.ts";
import { Grid, GridCell } from "../../../widgets/Grid.tsx";
import { WidgetCard } from "../../../widgets/WidgetCard.tsx";
import { outlineOf } from "../../../widgets/registry.ts";
import { useWidgetMenu } from "../useWidgetMenu.ts";
import { AddTile, goToAddTile } from "./AddTile.tsx";
import { ArrangeCell } from "./ArrangeCell.tsx";
import { ArrangeHandle, ArrangeTools } from "./ArrangeTools.tsx";
import styles from "./Arrange.module.css";
import { ResizeCorner } from "./ResizeCorner.tsx";
import type { CardSize } from "./cardSizes.ts";
import { useArrange } from "./useArrange.ts";

const route = getRouteApi("/member/d/$id");
const ADD_TILE_SIZE = { w: 4, h: 4 };
const ADD_TILE_OUTLINE = { form: "text", partCount: 1 } as const;

/** The same cards with handles: moved by mouse or keys, resized, and added to. Each change is saved at once. */
export function ArrangeView({ dashboard, timezone }: { dashboard: Dashboard; timezone: string }) {
  const { data: annotations = [] } = useQuery(annotationsQuery(dashboard.environment));
  const arrangement = useArrange(dashboard);
  const dataFields = dataFieldsOf(route.useSearch());
  /** The card whose corner is dragged, and its size for now. */
  const [drag, setDrag] = useState<{ id: string; size: CardSize } | null>(null);
  const menuItemsOf = useWidgetMenu(dashboard, true, dataFields);
  return (
    <>
      <div className={styles.hint}>
        <p>
          Drag by the handle, or press <Kbd>m</Kbd> and use the arrow keys. Resize at the corner. Changes are saved immediately.
        </p>
        <div className={styles.actions}>
          {arrangement.undo ? (
            <Button small icon={Undo2} onClick={arrangement.undo}>Undo</Button>
          ) : null}
          {arrangement.widgets.length > 0 ? (
            <Button small icon={Plus} onClick={goToAddTile}>Add widget</Button>
          ) : null}
        </div>
      </div>
      <DashboardContext value={{ timezone, annotations }}>
        <Grid>
          {arrangement.widgets.map((widget, index) => (
            <GridCell key={widget.id} layout={drag?.id === widget.id ? drag.size : widget.layout} outline={outlineOf(widget)}>
              <ArrangeCell id={widget.id} index={index} isHeld={arrangement.heldId === widget.id} onDrop={arrangement.drop}>
                <WidgetCard
                  widget={widget}
                  query={savedWidgetQuery(dashboard, widget, dataFields)}
                  handle={<ArrangeHandle widget={widget} arrangement={arrangement} />}
                  tools={<ArrangeTools widget={widget} arrangement={arrangement} menuItems={menuItemsOf(widget)} />}
                />
                <ResizeCorner
                  title={widget.title || widget.type}
                  size={widget.layout}
                  outline={outlineOf(widget)}
                  draggedSize={drag?.id === widget.id ? drag.size : null}
                  onDrag={(size) => setDrag(size && { id: widget.id, size })}
                  onResize={(size) => arrangement.resize(widget, size)}
                  onStep={(step) => arrangement.resizeBy(widget, step)}
                />
              </ArrangeCell>
            </GridCell>
          ))}
          <GridCell layout={ADD_TILE_SIZE} outline={ADD_TILE_OUTLINE}>
            <AddTile dashboard={dashboard} />
          </GridCell>
        </Grid>
      </DashboardContext>
    </>
  );
}
