/** An address or a code with a button that copies it. */
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../Profile.module.css';

export interface CopyFieldProps {
  /** What the address is for. */
  label: string;
  address: string;
  hint?: string;
  /** Beside the button. */
  children?: ReactNode;
}

/** How long the button confirms the copy, in milliseconds. */
const SAID_MS = 4000;

/**
 * Shows an address without its scheme and copies it whole. Reports whether copying worked; if it failed, the text can
 * be selected.
 */
export function CopyField({ label, address, hint, children }: CopyFieldProps) {
  const { t } = useTranslation('profile');
  const clipboard = useClipboard({ timeout: SAID_MS });
  const id = useId();
  const copied = clipboard.copied && !clipboard.error;
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <div className={styles.copy} role="group" aria-labelledby={id}>
      <p id={id} className={styles.label}>
        {label}
      </p>
      <div>
        <code>{address.replace(/^https?:\/\//, '')}</code>
        <Button
          variant="default"
          leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
          onClick={() => clipboard.copy(address)}
        >
          {copied ? t('copied') : t('copy')}
        </Button>
        {children}
      </div>
      {hint ? <p className={styles.hint}>{hint}</p> : null}
      <p className={clipboard.error ? styles.hint : 'fr-hidden'} role="status">
        {clipboard.error ? t('copyFailed') : copied ? t('copied') : ''}
      </p>
    </div>
  );
}
