import { useState } from "react";
import { type Drawing, type DrawnQuestion, drawingOf, drawingsOf, drawnAs } from "../../widgets/drawings.ts";

export interface Drawings {
  /** The pictures that the answer can be drawn as; none where there is only one. */
  drawings: Drawing[];
  drawing: Drawing | null;
  draw: (drawing: Drawing) => void;
}

/** A question that came of looking at the pictures, and the one with which that began. */
interface Walk {
  origin: DrawnQuestion;
  current: DrawnQuestion;
}

/**
 * Offer the pictures of an answer.
 *
 * A number has no breakdown and the events no measure: whoever looks at them and goes on to lines has both again, as long
 * as nothing else has changed.
 */
export function useDrawings(question: DrawnQuestion, onDraw: (question: DrawnQuestion) => void): Drawings {
  const [walk, setWalk] = useState<Walk | null>(null);
  const isOnWalk = walk?.current.kind === question.kind && walk.current.config === question.config;
  const origin = walk && isOnWalk ? walk.origin : question;
  return {
    drawings: drawingsOf(origin),
    drawing: drawingOf(question),
    draw: (drawing) => {
      const current = drawnAs(origin, drawing);
      if (!current) return;
      setWalk({ origin, current });
      onDraw(current);
    },
  };
}
