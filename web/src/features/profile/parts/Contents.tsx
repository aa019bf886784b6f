/** The table of contents: beside the page on a desktop, a strip above it on a phone. Marks the current section. */
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../Profile.module.css';

export interface Part {
  id: string;
  name: string;
}

/** A section is current once its top is above this share of the window's height. */
const LOOKED_AT = 0.3;

/** The id of the current section: at the end of the page the last one, however short it is. */
function usePartInSight(parts: readonly Part[]): string {
  const [current, setCurrent] = useState(parts[0]?.id ?? '');
  useWindowEvent(
    'scroll',
    () => {
      const { scrollHeight } = document.documentElement;
      const atEnd = window.scrollY > 0 && Math.ceil(window.scrollY + window.innerHeight) >= scrollHeight;
      const begun = ({ id }: Part) =>
        (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= window.innerHeight * LOOKED_AT;
      setCurrent((atEnd ? parts.at(-1) : (parts.findLast(begun) ?? parts[0]))?.id ?? '');
    },
    { passive: true },
  );
  return current;
}

/**
 * Takes the sections in the order of the page; each has an element with its id, and a title with `{id}-title` that gets
 * the focus when its link is followed.
 */
export function Contents({ parts }: { parts: readonly Part[] }) {
  const { t } = useTranslation('profile');
  const current = usePartInSight(parts);
  const strip = useRef<HTMLUListElement>(null);
  // On a phone the strip follows the page; it must not scroll the page itself.
  useEffect(() => {
    const box = strip.current;
    const link = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !link) return;
    box.scrollTo?.({ left: link.offsetLeft - (box.clientWidth - link.offsetWidth) / 2, behavior: 'smooth' });
  }, [current]);
  return (
    <nav className={styles.contents} aria-label={t('contents')}>
      <ul ref={strip}>
        {parts.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'location' : undefined}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(id)?.scrollIntoView({ block: 'start' });
                document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
              }}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
