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
          {isAlternatives(filter) ? <Alternatives conditions={filter.any} hasBrackets={filters.length > 1 && filter.any.length > 1} /> : <ConditionWords condition={filter} />}
        </Fragment>
      ))}
    </span>
  );
}

function Alternatives({ conditions, hasBrackets }: { conditions: readonly Condition[]; hasBrackets: boolean }) {
  return (
    <>
      {hasBrackets ? "(" : null}
      {conditions.map((condition, index) => (
        <Fragment key={index}>
          {index > 0 ? " or " : null}
          <ConditionWords condition={condition} />
        </Fragment>
      ))}
      {hasBrackets ? ")" : null}
    </>
  );
}

function ConditionWords({ condition: { key, op, value } }: { condition: Condition }) {
  const valueText = valueInWords(value);
  return (
    <>
      <b dir="auto">{key}</b> {OPERATORS[op]}
      {valueText === "" ? null : (
        <>
          {" "}
          <b dir="auto">{valueText}</b>
        </>
      )}
    </>
  );
}
