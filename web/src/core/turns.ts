/** Runs one task after the other, in the order in which they came; one that fails holds up none. */
export type Turns = <Answer>(task: () => Promise<Answer>) => Promise<Answer>;

/** Return a line in which tasks wait for each other. */
export function makeTurns(): Turns {
  let lastTask: Promise<unknown> = Promise.resolve();
  return (task) => {
    const answer = lastTask.then(task, task);
    lastTask = answer;
    return answer;
  };
}
