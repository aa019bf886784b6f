/** A therapist's words, shown as they were meant (description.ts). */
import type { Block } from './descriptionBlocks.ts';
import parts from '../frame/parts.module.css';
import styles from './Description.module.css';

export function Lead({ text }: { text: string }) {
  return <p className={`${parts.lead} ${styles.lines}`}>{text}</p>;
}

export function Description({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={styles.description}>
      {blocks.map((block, index) => (
        <Part key={index} block={block} />
      ))}
    </div>
  );
}

function Part({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <h2>{block.text}</h2>;
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
