/** The outcome of the last act in My events, shown once above the list. */
import { eventPage } from '@fieldroom/contract/pages';
import type { OwnEvent } from '@fieldroom/contract/events';
import { Button } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { useOutcome } from './useOutcome.ts';
import styles from '../MyEventsPage.module.css';

/** Undoes the act. It includes its words: a page that shows it may not have loaded them. */
export interface OfferedUndo {
  /** The button's label. */
  label: string;
  /** The message once it is undone. */
  undone: string;
  act(): Promise<unknown>;
}

export interface Outcome {
  text: string;
  tone: 'done' | 'fault';
  /** Just published: its link and its page are offered. */
  published?: OwnEvent;
  undo?: OfferedUndo;
}

export interface OutcomeNoticeProps {
  outcome: Outcome | null;
  /** From `useOutcome`: the event handlers that keep the outcome visible. */
  newsHandlers: ReturnType<typeof useOutcome>['newsHandlers'];
  onShare(event: OwnEvent): void;
  onUndo(undo: OfferedUndo): void;
}

/**
 * A live region that is always mounted, with the outcome in it or empty. An event that was just published has buttons
 * for its link and its page; `onShare` copies the link.
 */
export function OutcomeNotice({ outcome, newsHandlers, onShare, onUndo }: OutcomeNoticeProps) {
  return (
    <div role="status" className={styles.told} {...newsHandlers}>
      {outcome ? <OutcomeLine outcome={outcome} onShare={onShare} onUndo={onUndo} /> : null}
    </div>
  );
}

function OutcomeLine({
  outcome: { text, tone, published, undo },
  onShare,
  onUndo,
}: Pick<OutcomeNoticeProps, 'onShare' | 'onUndo'> & { outcome: Outcome }) {
  const Icon = tone === 'done' ? IconCircleCheck : IconAlertCircle;
  return (
    <p data-tone={tone} data-stays={published ? '' : undefined}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <span>{text}</span>
      {undo ? (
        <Button size="sm" variant="default" onClick={() => onUndo(undo)}>
          {undo.label}
        </Button>
      ) : null}
      {published ? <PublishedLinks event={published} onShare={onShare} /> : null}
    </p>
  );
}

function PublishedLinks({ event, onShare }: { event: OwnEvent; onShare(event: OwnEvent): void }) {
  const { t } = useTranslation('my-events');
  return (
    <span className={styles.next}>
      <Button size="sm" variant="default" onClick={() => onShare(event)}>
        {t('told.copyLink')}
      </Button>
      <Button size="sm" variant="default" component="a" href={eventPage(event)} target="_blank" rel="noopener">
        {t('told.openPage')}
      </Button>
    </span>
  );
}
