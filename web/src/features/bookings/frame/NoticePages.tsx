/** Pages with a single message: nothing here, a lost connection, an invalid link. */
import { hostPage } from '@fieldroom/contract/pages';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Rings } from '../../../ui/figures/Brand.tsx';
import { PageFrame, type ShownHost } from './PageFrame.tsx';
import { usePublicWords } from '../usePublicWords.ts';
import styles from './NoticePages.module.css';
import parts from './parts.module.css';
import buttons from '../../../light/buttons.module.css';

export interface NoticePageProps {
  title: string;
  text?: ReactNode;
  host?: ShownHost | null;
  hidden?: boolean;
  /** A small icon above the title after a success. */
  done?: boolean;
  children?: ReactNode;
}

/** One card in the middle, surrounded by the floor's rings. */
export function NoticePage({ title, text, host = null, hidden = false, done = false, children }: NoticePageProps) {
  return (
    <PageFrame title={title} host={host} kind="still" hidden={hidden}>
      <Rings first={250} count={6} className={parts.rings} />
      <section className={`${parts.panel} ${styles.notice}`} aria-labelledby="still-title">
        {done ? (
          <span className={parts.done}>
            <IconCheck size={26} stroke={2} aria-hidden />
          </span>
        ) : null}
        <h1 id="still-title" className="fr-voice">
          {title}
        </h1>
        {text ? <p className={parts.lead}>{text}</p> : null}
        {children}
      </section>
    </PageFrame>
  );
}

/**
 * There is no such event or therapist. Takes the therapist's slug where the address has one, and then leads to their
 * other events.
 */
export function UnknownPage({ slug }: { slug: string | null }) {
  const { t } = usePublicWords();
  return (
    <NoticePage title={t('unknown.title')} text={t('unknown.text')} hidden>
      {slug ? (
        <div className={parts.actions}>
          <a className={buttons.button} href={hostPage(slug)}>
            {t('unknown.others')}
          </a>
        </div>
      ) : null}
    </NoticePage>
  );
}

/** A request that failed for lack of a connection is repeated when it is back (docs/product.md#11.36). */
export function ProblemPage({ problem, onAgain }: { problem: unknown; onAgain(): void }) {
  const { t, refusal } = usePublicWords();
  const again = useRef(onAgain);
  useEffect(() => {
    again.current = onAgain;
  });
  useEffect(() => {
    const onOnline = () => again.current();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);
  return (
    <NoticePage title={t('troubleTitle')} text={refusal(problem)} hidden>
      <div className={parts.actions}>
        <button type="button" className={buttons.button} onClick={onAgain}>
          {t('tryAgain')}
        </button>
      </div>
    </NoticePage>
  );
}
