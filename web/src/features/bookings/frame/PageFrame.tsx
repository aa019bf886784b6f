/** Parts that all public pages share: no UI kit here, only the tokens. */
import type { PublicHost } from '@fieldroom/contract/events';
import { firstLetter, fullName, inNameOrder } from '@fieldroom/contract/names';
import { DATA_AGREEMENT_PAGE, hostPage, IMPRINT_PAGE } from '@fieldroom/contract/pages';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { LANGUAGES } from '../../../platform/i18n/languages.ts';
import { Logo } from '../../../ui/figures/Brand.tsx';
import { LanguageChoice, BrandMark, Skeleton } from '../../../light/controls.tsx';
import { OfflineBar } from '../../../light/OfflineBar.tsx';
import { SchemeSwitch } from '../../../light/SchemeSwitch.tsx';
import { FIND_BOOKING_PAGE } from './findBooking.ts';
import { pictureOf } from '../event/pictureOf.ts';
import { Landscape } from './Landscape.tsx';
import { switchLanguage, usePublicWords } from '../usePublicWords.ts';
import styles from './PageFrame.module.css';

/** The inviting therapist, as far as a page knows them. */
export type ShownHost = Pick<PublicHost, 'therapistName' | 'firstName' | 'lastName' | 'picture'> &
  Partial<Pick<PublicHost, 'line'>>;

export interface PageFrameProps {
  /** The tab's title; null while it is not known. */
  title: string | null;
  host?: ShownHost | null;
  /** The page is the therapist's own list. */
  list?: boolean;
  /** Opens the message to the therapist. */
  onContact?: () => void;
  /** `event`: the picture is behind the head on a phone. `still`: one card in the middle. */
  kind?: 'event' | 'still';
  /** Not for search engines: pages behind email links. */
  hidden?: boolean;
  children: ReactNode;
}

/** Head with therapist and language, the page, the foot. */
export function PageFrame({
  title,
  host = null,
  list = false,
  onContact,
  kind,
  hidden = false,
  children,
}: PageFrameProps) {
  const { t, language } = usePublicWords();
  useEffect(() => {
    document.title = title === null ? 'Fieldroom' : `${title} · Fieldroom`;
  }, [title]);
  useEffect(() => {
    if (!hidden) return;
    const meta = Object.assign(document.createElement('meta'), { name: 'robots', content: 'noindex, nofollow' });
    document.head.append(meta);
    return () => meta.remove();
  }, [hidden]);
  return (
    <>
      <OfflineBar text={t('offline')} />
      <div className={kind ? `${styles.page} ${styles[kind]}` : styles.page} lang={language}>
        <a className="fr-skip" href="#page">
          {t('skip')}
        </a>
        <Suspense>
          <header className={styles.head}>
            {host ? (
              <a className={styles.host} href={hostPage(host.therapistName)}>
                <Avatar host={host} size={46} />
                <span>
                  {fullName(language, host)}
                  {host.line && !list ? <small>{host.line}</small> : null}
                </span>
              </a>
            ) : (
              <BrandMark />
            )}
            <div className={styles.tools}>
              {host && (onContact || !list) ? (
                <nav className={styles.nav} aria-label={t('navigation')}>
                  {list ? null : <a href={hostPage(host.therapistName)}>{t('allEvents')}</a>}
                  {onContact ? (
                    <button type="button" onClick={onContact}>
                      {t('contact.open')}
                    </button>
                  ) : null}
                </nav>
              ) : null}
              <span className={styles.look}>
                <SchemeSwitch label={t('dark')} className={styles.scheme} />
                <LanguageChoice
                  label={t('language')}
                  languages={LANGUAGES}
                  current={language}
                  onChoose={switchLanguage}
                  className={styles.language}
                />
              </span>
            </div>
          </header>
        </Suspense>
        <main id="page" className={styles.main} tabIndex={-1}>
          {children}
        </main>
        <Suspense>
          <footer className={styles.foot}>
            <span className={styles.made}>
              <Logo size={20} /> {t('footer.madeWith')}
            </span>
            <nav aria-label={t('footer.label')}>
              <a href={FIND_BOOKING_PAGE}>{t('footer.find')}</a>
              <a href={DATA_AGREEMENT_PAGE}>{t('footer.privacy')}</a>
              <a href={IMPRINT_PAGE}>{t('footer.imprint')}</a>
            </nav>
            <span suppressHydrationWarning>{thisYear()}</span>
          </footer>
        </Suspense>
      </div>
    </>
  );
}

/**
 * Decoration, so the machine's own calendar is good enough; read at each drawing, because the server runs for longer
 * than a year.
 */
const thisYear = () => new Date().getFullYear();

/** The therapist's picture, or their initials. */
export function Avatar({ host, size }: { host: ShownHost; size: number }) {
  const { language } = usePublicWords();
  const initials = inNameOrder(language, firstLetter(host.firstName), firstLetter(host.lastName))
    .join('')
    .toUpperCase();
  return host.picture ? (
    <img className={styles.avatar} src={host.picture} alt="" width={size} height={size} />
  ) : (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.38 }} aria-hidden>
      {initials}
    </span>
  );
}

/** An event's picture, or our own landscape. `eager` if it is visible first. */
export function Picture({
  event,
  className,
  eager = false,
}: {
  event: { id: number; eventName: string; files: readonly string[] };
  className: string | undefined;
  eager?: boolean;
}) {
  const address = pictureOf(event);
  // A deleted event's pictures can be seen only by its therapist.
  const [broken, setBroken] = useState(false);
  return (
    <div className={`${styles.picture} ${className}`}>
      {address && !broken ? (
        <img
          src={address}
          alt=""
          onError={() => setBroken(true)}
          fetchPriority={eager ? 'high' : 'auto'}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
        />
      ) : (
        <Landscape name={event.eventName} />
      )}
    </div>
  );
}

/** While a page's data is loading. */
export function Loading() {
  const { t } = usePublicWords();
  return <Skeleton label={t('loading')} className={styles.skeleton} />;
}
