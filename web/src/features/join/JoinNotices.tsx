/** The join page's notices: goodbye, no such room, a therapist signed in here, a problem. */
import { CODE_PAGE, DASHBOARD_PAGE, joinPage } from '@fieldroom/contract/pages';
import type { ReactNode } from 'react';
import { problemText } from '../../platform/i18n/faults.ts';
import { Hint } from '../../light/controls.tsx';
import { FigureShape } from '../../ui/figures/FigureShape.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import type { GoodbyeReason } from './joinAddress.ts';
import { JoinFrame, Rings } from './JoinFrame.tsx';
import { useJoinWords } from './useJoinWords.ts';
import parts from './joinParts.module.css';
import styles from './JoinNotices.module.css';
import buttons from '../../light/buttons.module.css';

function NoticePage({
  pageTitle,
  title,
  text,
  children,
}: {
  pageTitle: string;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  const { scheme } = useAppearance();
  return (
    <JoinFrame title={pageTitle} lit>
      <div className={parts.meeting} aria-hidden>
        <Rings radii={[66, 94, 124, 159, 200, 248]} />
        <svg viewBox="-175 -125 350 250" focusable="false">
          <g transform="translate(0 4) rotate(200) scale(.9)">
            <FigureShape kind="FEMALE_CIRCLE" tone="#4BA8E2" scheme={scheme} />
          </g>
        </svg>
      </div>
      <h1 className="fr-voice">{title}</h1>
      <p className={parts.lead}>{text}</p>
      <span className={parts.grow} />
      {children}
    </JoinFrame>
  );
}

/** Shown while the room opens for a client who need not wait. */
export function ComingInPage({ name }: { name: string }) {
  const { t } = useJoinWords();
  return <NoticePage pageTitle={t('waiting.pageTitle')} title={t('waiting.title', { name })} text={t('waiting.in')} />;
}

/**
 * The last page of a client: the session ended, they left, were declined or removed. `joinLink` leads back in; a
 * removed person does not get it (docs/product.md#4.13, 11.61). A missing therapist's name becomes "your therapist".
 */
export function GoodbyePage({
  why,
  therapist,
  joinLink,
}: {
  why: GoodbyeReason;
  therapist: string | null;
  joinLink: string | null;
}) {
  const { t } = useJoinWords();
  return (
    <NoticePage
      pageTitle={t('bye.pageTitle')}
      title={t(`bye.${why}.title`)}
      text={t(`bye.${why}.text`, { therapist: therapist ?? t('bye.therapist') })}
    >
      {joinLink && why !== 'removed' ? (
        <a className={parts.quiet} href={joinPage(joinLink)}>
          {t('bye.again')}
        </a>
      ) : null}
      <Hint className={styles.centred}>{t('bye.close')}</Hint>
    </NoticePage>
  );
}

/** No room has this join link. Offers the form for a code, and names nobody (docs/product.md#4.1). */
export function UnknownRoomPage() {
  const { t } = useJoinWords();
  return (
    <NoticePage pageTitle={t('unknown.title')} title={t('unknown.title')} text={t('unknown.text')}>
      <a className={buttons.large} href={CODE_PAGE}>
        {t('unknown.code')}
      </a>
    </NoticePage>
  );
}

/** A therapist is signed in on this browser, so nobody can enter as a client (docs/product.md#4.14). */
export function SignedInHerePage() {
  const { t } = useJoinWords();
  return (
    <NoticePage pageTitle={t('blocked.title')} title={t('blocked.title')} text={t('blocked.text')}>
      <a className={buttons.large} href={DASHBOARD_PAGE}>
        {t('blocked.back')}
      </a>
    </NoticePage>
  );
}

/** The request about the room failed. Explains why; `onAgain` tries again. */
export function ProblemPage({ problem, onAgain }: { problem: unknown; onAgain(): void }) {
  const { t, say } = useJoinWords();
  return (
    <NoticePage pageTitle="Fieldroom" title={problemText(say, problem)} text="">
      <button type="button" className={buttons.large} onClick={onAgain}>
        {t('tryAgain')}
      </button>
    </NoticePage>
  );
}
