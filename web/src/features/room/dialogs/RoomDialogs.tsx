/** Dialogs that both rooms share: a question before something ends, and the list of keys. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLayout } from '../../video/index.ts';
import styles from './RoomDialogs.module.css';
import dialog from '../../../ui/dialogs/dialogParts.module.css';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { SHEET } from '../../../ui/dialogs/sheet.ts';

export interface QuestionProps {
  opened: boolean;
  title: string;
  text: string;
  yes: string;
  no: string;
  danger?: boolean;
  busy?: boolean;
  onYes(): void;
  onNo(): void;
}

/** Asks before something is lost: a sheet over the dimmed room on a phone. Escape and the cross mean no. */
export function Question({ opened, title, text, yes, no, danger, busy, onYes, onNo }: QuestionProps) {
  const { t } = useTranslation('field');
  return (
    <Modal
      opened={opened}
      onClose={onNo}
      title={title}
      classNames={SHEET}
      closeButtonProps={{ 'aria-label': t('rail.close') }}
    >
      <p style={{ margin: 0 }}>{text}</p>
      <div className={dialog.acts}>
        <Button data-autofocus={danger || undefined} variant="default" onClick={onNo}>
          {no}
        </Button>
        <Button
          data-autofocus={!danger || undefined}
          loading={busy ?? false}
          {...(danger ? { color: 'danger' } : {})}
          onClick={onYes}
        >
          {yes}
        </Button>
      </div>
    </Modal>
  );
}

export interface LeavingDialogProps {
  opened: boolean;
  title: string;
  text: string;
  /** Labels of the three answers. */
  stay: string;
  go: string;
  end: string;
  busy: boolean;
  onStay(): void;
  onGo(): void;
  onEnd(): void;
}

/** Asks a therapist who leaves while the live session runs, in the same form. Escape and the cross mean staying. */
export function LeavingDialog({ opened, title, text, stay, go, end, busy, onStay, onGo, onEnd }: LeavingDialogProps) {
  const { t } = useTranslation('field');
  return (
    <Modal
      opened={opened}
      onClose={onStay}
      title={title}
      classNames={SHEET}
      closeButtonProps={{ 'aria-label': t('rail.close') }}
    >
      <p style={{ margin: 0 }}>{text}</p>
      <div className={styles.ways}>
        <Button data-autofocus disabled={busy} onClick={onStay}>
          {stay}
        </Button>
        <Button variant="default" disabled={busy} onClick={onGo}>
          {go}
        </Button>
        <Button variant="subtle" color="danger" loading={busy} onClick={onEnd}>
          {end}
        </Button>
      </div>
    </Modal>
  );
}

type KeyRow = [keys: ReactNode, text: string];

/** The keys for layouts do nothing without the video. */
const layoutKeys = (text: string): KeyRow => [
  <>
    <kbd>1</kbd>
    <kbd>2</kbd>
    <kbd>3</kbd>
  </>,
  text,
];

export interface KeysDialogProps {
  opened: boolean;
  onClose(): void;
}

/** The list of the room's keys. Those of the layouts are in it while this person takes part in the video. */
export function KeysDialog({ opened, onClose }: KeysDialogProps) {
  const { t } = useTranslation('field');
  const { taking } = useLayout();
  const rows: KeyRow[] = [
    [<kbd key="t">Tab</kbd>, t('keys.tab')],
    [
      <>
        <kbd>←</kbd>
        <kbd>↑</kbd>
        <kbd>→</kbd>
        <kbd>↓</kbd>
      </>,
      t('keys.arrows'),
    ],
    [
      <>
        <kbd>[</kbd>
        <kbd>]</kbd>
      </>,
      t('keys.brackets'),
    ],
    [
      <>
        <kbd>+</kbd>
        <kbd>−</kbd>
      </>,
      t('keys.plusminus'),
    ],
    [<kbd key="e">Enter</kbd>, t('keys.enter')],
    [<kbd key="x">Esc</kbd>, t('keys.escape')],
    [<kbd key="d">Del</kbd>, t('keys.delete')],
    [<kbd key="m">M</kbd>, t('keys.m')],
    [<kbd key="k">K</kbd>, t('keys.k')],
    [
      <>
        <kbd>Ctrl Z</kbd>
        <kbd>Ctrl Y</kbd>
      </>,
      t('keys.undo'),
    ],
    ...(taking ? [layoutKeys(t('keys.layouts'))] : []),
  ];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('rail.close') }}
    >
      <dl className={styles.keys}>
        {rows.map(([keys, text]) => (
          <div key={text} style={{ display: 'contents' }}>
            <dt>{keys}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={dialog.line} style={{ margin: '20px 0 0' }}>
        {t('keys.wheel')}. {t('keys.drag')}. {t('keys.pinch')}.
      </p>
    </Modal>
  );
}
