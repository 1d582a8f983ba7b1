import { type ReactNode, useContext } from "react";
import { HeadingLevel } from "../../ui/Card/Card.tsx";
import { blocksOf, type Block, type Inline } from "./markdownBlocks.ts";
import styles from "./Markdown.module.css";

const DEEPEST_LEVEL = 6;

/** A text with simple marks: headings, lists, code, bold, italics and https links. */
export function Markdown({ text }: { text: string }): ReactNode {
  const parentLevel = useContext(HeadingLevel);
  return (
    <div className={styles.markdown}>
      {blocksOf(text).map((block, index) => (
        <BlockView key={index} block={block} parentLevel={parentLevel} />
      ))}
    </div>
  );
}

function BlockView({ block, parentLevel }: { block: Block; parentLevel: number }): ReactNode {
  switch (block.type) {
    case "heading": {
      const Heading = `h${Math.min(parentLevel + block.depth, DEEPEST_LEVEL) as 2 | 3 | 4 | 5 | 6}` as const;
      return (
        <Heading>
          <Pieces content={block.content} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          {block.lines.map((line, index) => (
            <span key={index}>
              {index > 0 && <br />}
              <Pieces content={line} />
            </span>
          ))}
        </p>
      );
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              <Pieces content={item} />
            </li>
          ))}
        </List>
      );
    }
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
  }
}

function Pieces({ content }: { content: readonly Inline[] }): ReactNode {
  return content.map((piece, index) => <Piece key={index} piece={piece} />);
}

function Piece({ piece }: { piece: Inline }): ReactNode {
  switch (piece.type) {
    case "text":
      return piece.text;
    case "code":
      return <code>{piece.text}</code>;
    case "bold":
      return (
        <strong>
          <Pieces content={piece.content} />
        </strong>
      );
    case "italic":
      return (
        <em>
          <Pieces content={piece.content} />
        </em>
      );
    case "link":
      return (
        <a href={piece.href} rel="noopener noreferrer" target="_blank">
          <Pieces content={piece.content} />
        </a>
      );
  }
}
