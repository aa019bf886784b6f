/** A therapist's text, formatted (descriptionBlocks.ts). */
import type { Block } from './descriptionBlocks.ts';
import styles from './Description.module.css';

export interface DescriptionProps {
  blocks: readonly Block[];
  /** Of its headings, below the heading above it. */
  level?: 'h2' | 'h3' | 'h4';
}

/** Draws the blocks of `blocksOf` as paragraphs, headings, lists and timetables (docs/product.md#9.22). */
export function Description({ blocks, level = 'h2' }: DescriptionProps) {
  return (
    <div className={styles.description}>
      {blocks.map((block, index) => (
        <Part key={index} block={block} level={level} />
      ))}
    </div>
  );
}

function Part({ block, level: Heading }: { block: Block; level: 'h2' | 'h3' | 'h4' }) {
  switch (block.kind) {
    case 'heading':
      return <Heading className={styles.heading}>{block.text}</Heading>;
    case 'text':
      return <p className={styles.lines}>{block.text}</p>;
    case 'list':
      return (
        <ul>
          {block.items.map((item, index) => (
            <li key={index}>{item}</li>
          ))}
        </ul>
      );
    case 'numbered':
      return (
        <ol start={block.start}>
          {block.items.map((item, index) => (
            <li key={index}>{item}</li>
          ))}
        </ol>
      );
    case 'times':
      return (
        <dl>
          {block.rows.map(([time, text], index) => (
            <div key={index}>
              <dt>{time}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      );
  }
}
