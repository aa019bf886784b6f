/** The bell in the top bar of a therapist's pages (docs/product.md#11.20 to #11.26). */
import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createElement, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '../../ui/controls/Tooltip.tsx';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import styles from './Bell.module.css';
import { stateOf } from './noticesModel.ts';
import { noticesQuery, useAskAfterNews } from './noticesQuery.ts';
import { useLiveNotices } from './useLiveNotices.ts';

/** How often a page polls without a connection. */
const ASK_MS = 60_000;
const SHOWN_MAX = 99;
/** The number is at the corner of the button, not of its icon. */
const PARTS = { icon: styles.icon ?? '' };

const noticesPanel = lazyPart(() => import('./panel/NoticesPanel.tsx').then((module) => module.NoticesPanel));

export interface BellProps {
  className?: string | undefined;
  /** Called when the room has changed: the bell's connection receives that. */
  onRoom(): void;
}

/**
 * Counts unread notices up to 99. While its connection is open it receives changes; otherwise it polls once a minute.
 * The panel is fetched when it is first opened.
 */
export function Bell({ className = '', onRoom }: BellProps) {
  const { t } = useTranslation('notices');
  const live = useLiveNotices(onRoom);
  const query = useInfiniteQuery({
    ...noticesQuery(),
    refetchInterval: live ? false : ASK_MS,
    refetchOnWindowFocus: true,
  });
  useAskAfterNews(query.data);
  const state = stateOf(query.data);
  const unread = state?.unread ?? 0;
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const dismiss = () => {
    setOpened(false);
    // Only after the panel has released it.
    requestAnimationFrame(() => button.current?.focus());
  };
  const panel = useLazyPart(noticesPanel, opened, dismiss);
  return (
    <>
      <Tooltip label={t('title')}>
        <ActionIcon
          ref={button}
          size={44}
          className={`${styles.bell} ${className}`}
          classNames={PARTS}
          variant="transparent"
          aria-label={unread === 0 ? t('title') : t('bell', { count: unread })}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(true)}
        >
          <IconBell size={22} stroke={1.75} aria-hidden />
          {unread === 0 ? null : (
            <span className={styles.count} aria-hidden>
              {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
            </span>
          )}
        </ActionIcon>
      </Tooltip>
      <News unread={state?.unread ?? null} />
      {panel && createElement(panel, { opened, onDismiss: dismiss, onLeave: () => setOpened(false) })}
    </>
  );
}

/** Announces to screen readers, politely, an increase of unread notices; null while the number is not known. */
function News({ unread }: { unread: number | null }) {
  const { t } = useTranslation('notices');
  const before = useRef<number | null>(null);
  const [told, setTold] = useState<number | null>(null);
  useEffect(() => {
    if (unread === null) return;
    if (before.current !== null && unread !== before.current) setTold(unread > before.current ? unread : null);
    before.current = unread;
  }, [unread]);
  return (
    <span role="status" className="fr-hidden">
      {told === null ? '' : t('news', { count: told })}
    </span>
  );
}
