import { Fragment } from "react";
import { type Condition, type Filter, OPERATORS, isAlternatives, valueInWords } from "../../scope/filters.ts";
import styles from "./Sentence.module.css";

/** Who is in a segment, as one reads it: **plan** is one of **plus, studio** and **region** starts with **eu-**. */
export function Sentence({ filters }: { filters: readonly Filter[] }) {
  return (
    <span className={styles.sentence}>
      {filters.map((filter, index) => (
        <Fragment key={index}>
          {index > 0 ? " and " : null}
          {isAlternatives(filter) ? <Alternatives any={filter.any} inBrackets={filters.length > 1 && filter.any.length > 1} /> : <Words condition={filter} />}
        </Fragment>
      ))}
    </span>
  );
}

function Alternatives({ any, inBrackets }: { any: readonly Condition[]; inBrackets: boolean }) {
  return (
    <>
      {inBrackets ? "(" : null}
      {any.map((condition, index) => (
        <Fragment key={index}>
          {index > 0 ? " or " : null}
          <Words condition={condition} />
        </Fragment>
      ))}
      {inBrackets ? ")" : null}
    </>
  );
}

function Words({ condition: { key, op, value } }: { condition: Condition }) {
  const words = valueInWords(value);
  return (
    <>
      <b dir="auto">{key}</b> {OPERATORS[op]}
      {words === "" ? null : (
        <>
          {" "}
          <b dir="auto">{words}</b>
        </>
      )}
    </>
  );
}
