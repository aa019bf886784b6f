/** The door's still pages: good-bye, no such room, blocked by a therapist's sign-in, trouble. */
import type { ReactNode } from 'react';
import { problemText } from '../../platform/i18n/faults.ts';
import { FigureShape } from '../../ui/figures/FigureShape.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import type { ByeReason } from './entry.ts';
import { DoorFrame, DoorRings } from './DoorFrame.tsx';
import { useDoorWords } from './useDoorWords.ts';

function Still({
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
    <DoorFrame title={pageTitle} lit>
      <div className="door-meeting" aria-hidden>
        <DoorRings radii={[66, 94, 124, 159, 200, 248]} />
        <svg viewBox="-175 -125 350 250" focusable="false">
          <g transform="translate(0 4) rotate(200) scale(.9)">
            <FigureShape kind="FEMALE_CIRCLE" tone="#4BA8E2" scheme={scheme} />
          </g>
        </svg>
      </div>
      <h1 className="fr-voice">{title}</h1>
      <p className="door-lead">{text}</p>
      <span className="door-grow" />
      {children}
    </DoorFrame>
  );
}

export function Bye({
  why,
  therapist,
  joinLink,
}: {
  why: ByeReason;
  therapist: string | null;
  joinLink: string | null;
}) {
  const { t } = useDoorWords();
  return (
    <Still
      pageTitle={t('bye.pageTitle')}
      title={t(`bye.${why}.title`)}
      text={t(`bye.${why}.text`, { therapist: therapist ?? t('bye.therapist') })}
    >
      {joinLink && why !== 'removed' ? (
        <a className="door-quiet" href={`/user/join/${encodeURIComponent(joinLink)}`}>
          {t('bye.again')}
        </a>
      ) : null}
      <p className="fr-hint door-middle">{t('bye.close')}</p>
    </Still>
  );
}

export function Unknown() {
  const { t } = useDoorWords();
  return (
    <Still pageTitle={t('unknown.title')} title={t('unknown.title')} text={t('unknown.text')}>
      <a className="fr-button fr-main-act" href="/user/code">
        {t('unknown.code')}
      </a>
    </Still>
  );
}

export function Blocked() {
  const { t } = useDoorWords();
  return (
    <Still pageTitle={t('blocked.title')} title={t('blocked.title')} text={t('blocked.text')}>
      <a className="fr-button fr-main-act" href="/app/dashboard">
        {t('blocked.back')}
      </a>
    </Still>
  );
}

export function Trouble({ problem, onAgain }: { problem: unknown; onAgain(): void }) {
  const { t, say } = useDoorWords();
  return (
    <Still pageTitle="Fieldroom" title={problemText(say, problem)} text="">
      <button type="button" className="fr-button fr-main-act" onClick={onAgain}>
        {t('tryAgain')}
      </button>
    </Still>
  );
}
