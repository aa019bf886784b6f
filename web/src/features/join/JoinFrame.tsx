/** What all views of the join page stand in. */
import { type ReactNode, useEffect } from 'react';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { LanguageChoice, BrandMark } from '../../light/controls.tsx';
import { switchJoinLanguage, useJoinWords } from './useJoinWords.ts';

/** One column with the mark and the language on top. `lit`: on the field's colour, as in the waiting room. */
export function JoinFrame({ title, lit = false, children }: { title: string; lit?: boolean; children: ReactNode }) {
  const { t, language } = useJoinWords();
  useEffect(() => {
    document.title = `${title} · Fieldroom`;
  }, [title]);
  return (
    <div className={lit ? 'join join-lit' : 'join'}>
      <header className="join-head">
        <BrandMark />
        <LanguageChoice label={t('language')} languages={LANGUAGES} current={language} onChoose={switchJoinLanguage} />
      </header>
      <main className="join-main">{children}</main>
    </div>
  );
}

/** Faint rings around a centre, as on the field. Radii in px. */
export function Rings({ radii, y = '50%' }: { radii: readonly number[]; y?: string }) {
  return (
    <svg className="join-rings" width="100%" height="100%" aria-hidden focusable="false">
      {radii.map((radius) => (
        <circle key={radius} cx="50%" cy={y} r={radius} />
      ))}
    </svg>
  );
}
