/** Dialogs that both rooms share: a question before something ends, and the list of keys. */
import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './RoomDialogs.module.css';
import dialog from '../../../ui/dialogParts.module.css';

const SHEET = { inner: styles.sheetPlace ?? '', content: styles.sheet ?? '' };

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
        <Button variant="default" onClick={onNo}>
          {no}
        </Button>
        <Button data-autofocus loading={busy ?? false} {...(danger ? { color: 'danger' } : {})} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </Modal>
  );
}

export interface KeysDialogProps {
  opened: boolean;
  onClose(): void;
}

export function KeysDialog({ opened, onClose }: KeysDialogProps) {
  const { t } = useTranslation('field');
  const rows: [ReactNode, string][] = [
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
    [<kbd key="d">Del</kbd>, t('keys.delete')],
    [<kbd key="m">M</kbd>, t('keys.m')],
    [
      <>
        <kbd>Ctrl Z</kbd>
        <kbd>Ctrl Y</kbd>
      </>,
      t('keys.undo'),
    ],
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
