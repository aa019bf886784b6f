import type { SearchWords } from '@fieldroom/contract/search';
import {
  type Icon,
  IconCalendarEvent,
  IconHistory,
  IconLayoutList,
  IconPhoto,
  IconStethoscope,
  IconUser,
} from '@tabler/icons-react';
import { Fragment } from 'react';
import { Marked } from './Marked.tsx';
import type { ShownKind, ShownResult } from './shownResults.ts';
import styles from './search.module.css';

const ICONS: Readonly<Record<ShownKind, Icon>> = {
  pages: IconLayoutList,
  events: IconCalendarEvent,
  attendees: IconUser,
  sessions: IconHistory,
  icons: IconPhoto,
  therapists: IconStethoscope,
};

interface ResultLinesProps {
  kind: ShownKind;
  result: ShownResult;
  words: SearchWords;
}

/** One result: the icon of its kind, its name, the facts beside it, and the line that contains the key. */
export function ResultLines({ kind, result: { title, facts, excerpt }, words }: ResultLinesProps) {
  const KindIcon = ICONS[kind];
  return (
    <>
      <KindIcon size={20} stroke={1.75} aria-hidden className={styles.sign} />
      <span className={styles.lines}>
        <span className={styles.title}>
          <Marked text={title} words={words} />
        </span>
        {facts.length > 0 ? (
          <span className={styles.facts}>
            {facts.map((fact, index) => (
              <Fragment key={fact}>
                {index > 0 ? ' · ' : ' '}
                <Marked text={fact} words={words} />
              </Fragment>
            ))}
          </span>
        ) : null}
        {excerpt === undefined ? null : (
          <span className={styles.facts}>
            {' '}
            <Marked text={excerpt} words={words} />
          </span>
        )}
      </span>
    </>
  );
}
